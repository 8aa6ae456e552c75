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
