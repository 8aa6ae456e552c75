/* How the headers that LiteX writes for a SoC reach its registers, which are words. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdint.h>

static inline uint32_t csr_read_simple(unsigned long address) {
    return *(volatile uint32_t*)address;
}

static inline void csr_write_simple(unsigned long value, unsigned long address) {
    *(volatile uint32_t*)address = value;
}

#endif
