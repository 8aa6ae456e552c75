#include "board.h"

/* Of VexRiscv: a bit for each source of interrupts. */
#define IRQ_MASK "0xbc0"
#define EXTERNAL_ENABLE 0x800u

#define READ_CSR(name, value) __asm__ volatile("csrr %0, " name : "=r"(value))
#define WRITE_CSR(name, value) __asm__ volatile("csrw " name ", %0" ::"r"(value) : "memory")

uint64_t board_waited;
uint32_t board_interrupts;
volatile uint32_t board_interrupted; /* not 0: the interrupt came (start.S) */

void board_fault(void);

/* Of all other traps: the end. */
void board_fault(void) {
    uint32_t cause, place;
    READ_CSR("mcause", cause);
    READ_CSR("mepc", place);
    board_text("error: trap ");
    board_number(cause);
    board_text(" at ");
    board_number(place);
    board_text("\nend 1\n");
    for (;;) {
    }
}

void board_begin(void) {
    WRITE_CSR(IRQ_MASK, 0);
    WRITE_CSR("mie", EXTERNAL_ENABLE);
    accelerator_ev_enable_write(1);
    __asm__ volatile("csrsi mstatus, 8" ::: "memory");
}

void board_text(const char* text) {
    for (; *text; ++text) {
        while (uart_txfull_read()) {
        }
        uart_rxtx_write((uint8_t)*text);
    }
}

void board_number(uint64_t number) {
    char digits[21];
    char* at = digits + 20;
    *at = 0;
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    board_text(at);
}

void board_byte(uint8_t byte) {
    static const char digits[] = "0123456789abcdef";
    const char text[] = {' ', digits[byte >> 4], digits[byte & 15], 0};
    board_text(text);
}

uint64_t board_cycles(void) {
    timer0_uptime_latch_write(1);
    return timer0_uptime_cycles_read();
}

uint32_t board_read(void* user, uint32_t address) {
    (void)user;
    return csr_read_simple(ACCELERATOR_BASE + address);
}

void board_write(void* user, uint32_t address, uint32_t value) {
    (void)user;
    csr_write_simple(value, ACCELERATOR_BASE + address);
}

/* Processors without a sleep take wfi for an instruction that does nothing. */
int board_wait(void* user, uint32_t timeout_ms) {
    const uint64_t begin = board_cycles();
    const uint64_t most = (uint64_t)timeout_ms * (CONFIG_CLOCK_FREQUENCY / 1000);
    (void)user;
    if (timeout_ms == 0) return (int)accelerator_ev_status_read();
    board_interrupted = 0;
    WRITE_CSR(IRQ_MASK, 1u << ACCELERATOR_INTERRUPT);
    while (!board_interrupted && board_cycles() - begin < most)
        __asm__ volatile("wfi" ::: "memory");
    WRITE_CSR(IRQ_MASK, 0);
    board_waited += board_cycles() - begin;
    if (board_interrupted == 0) return 0;
    ++board_interrupts;
    return 1;
}

/* What the processor writes goes through its cache into memory; the cache forgets all that the
 * accelerator may have written. */
void board_sync(void* user, uint64_t offset, uint64_t bytes, int to_device) {
    (void)user;
    (void)offset;
    (void)bytes;
    if (to_device)
        __asm__ volatile("fence" ::: "memory");
    else
        __asm__ volatile(".word 0x500f" ::: "memory"); /* of VexRiscv */
}
