/* Registers of the MM2S channel. */
#include "macrame_axi_dma.h"

#include "macrame_tcu_internal.h"

enum { CONTROL = 0x00, STATUS = 0x04, ADDRESS = 0x18, ADDRESS_HIGH = 0x1c, LENGTH = 0x28 };
enum { CONTROL_RUN = 1 << 0, CONTROL_RESET = 1 << 2, CONTROL_INTERRUPTS = 5 << 12 };
enum { STATUS_IDLE = 1 << 1, STATUS_ERRORS = 7 << 4, STATUS_CAUSES = 7 << 12 };

static uint32_t most_polls(const struct macrame_axi_dma* dma) {
    return dma->max_polls != 0 ? dma->max_polls : 100000000u;
}

int macrame_axi_dma_start(struct macrame_axi_dma* dma) {
    uint32_t left = most_polls(dma);
    dma->busy = 0;
    dma->write(dma->user, CONTROL, CONTROL_RESET);
    while ((dma->read(dma->user, CONTROL) & CONTROL_RESET) != 0) {
        if (--left == 0) return 1;
    }
    dma->write(dma->user, CONTROL, CONTROL_RUN | CONTROL_INTERRUPTS);
    return 0;
}

static int wait_until_idle(struct macrame_axi_dma* dma) {
    uint32_t left = most_polls(dma), status = 0;
    while (dma->busy) {
        status = dma->read(dma->user, STATUS);
        if ((status & STATUS_ERRORS) != 0 || --left == 0) return 1;
        if ((status & STATUS_IDLE) != 0) dma->busy = 0;
    }
    return 0;
}

int macrame_axi_dma_drain(void* dma) { return wait_until_idle((struct macrame_axi_dma*)dma); }

int macrame_axi_dma_send(void* user, uint64_t offset, uint64_t bytes) {
    struct macrame_axi_dma* dma = (struct macrame_axi_dma*)user;
    const uint64_t most =
        (((uint64_t)1 << dma->length_bits) - 1) & ~((uint64_t)dma->beat_bytes - 1);
    uint64_t address = dma->device_address + offset;
    if (most == 0) return 1;
    while (bytes != 0) {
        const uint64_t part = bytes < most ? bytes : most;
        if (wait_until_idle(dma) != 0) return 1;
        dma->write(dma->user, STATUS, STATUS_CAUSES); /* a 1 takes a cause back */
        dma->write(dma->user, ADDRESS, (uint32_t)(address & 0xffffffffu));
        dma->write(dma->user, ADDRESS_HIGH, (uint32_t)(address >> 32));
        dma->write(dma->user, LENGTH, (uint32_t)part);
        dma->busy = 1;
        address += part;
        bytes -= part;
    }
    return 0;
}
