# The first instructions: stack, traps, zeros, main. Data are where they belong from the start.
    .section .start, "ax"
    .global _start
_start:
    la sp, stack_top
    la t0, board_trap
    csrw mtvec, t0
    la t0, bss_begin
    la t1, bss_end
clear:
    bgeu t0, t1, begin
    sw zero, 0(t0)
    addi t0, t0, 4
    j clear
begin:
    call main
stop:
    j stop

# Traps. The accelerator holds its line until the runtime has read the cause, so its interrupt is
# masked (0xbc0 of VexRiscv); board_wait() looks whether it came. Short: each layer waits for it.
    .balign 4
board_trap:
    addi sp, sp, -16
    sw t0, 0(sp)
    sw t1, 4(sp)
    csrr t0, mcause
    li t1, 0x8000000b           # an interrupt from outside of the processor
    bne t0, t1, fault
    csrw 0xbc0, zero
    la t1, board_interrupted
    sw t1, 0(t1)
    lw t0, 0(sp)
    lw t1, 4(sp)
    addi sp, sp, 16
    mret
fault:
    call board_fault
