/* What the firmware has of its system: serial line, clock, and for struct macrame_machine registers
 * of the accelerator, its interrupt, caches. */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define CSR_ACCESSORS_DEFINED /* by system.h */
#include <generated/csr.h>
#include <generated/mem.h>
#include <generated/soc.h>

void board_begin(void);
void board_text(const char* text);
void board_number(uint64_t number);
void board_byte(uint8_t byte); /* " 7f" */
uint64_t board_cycles(void);

uint32_t board_read(void* user, uint32_t address);
void board_write(void* user, uint32_t address, uint32_t value);
int board_wait(void* user, uint32_t timeout_ms);
void board_sync(void* user, uint64_t offset, uint64_t bytes, int to_device);
/* Cycles in board_wait, and how often the interrupt came there. */
extern uint64_t board_waited;
extern uint32_t board_interrupts;

/* RAM for the accelerator: behind the firmware, in front of the stack. */
extern uint8_t block_begin[], block_end[];

#endif
