/* Instructions by the AXI DMA of Xilinx (PG021) in simple mode, as the block designs of
 * `macrame fpga` have it: MM2S only, no scatter and gather. */
#ifndef MACRAME_AXI_DMA_H
#define MACRAME_AXI_DMA_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Set all above the line, then macrame_axi_dma_start(). */
struct macrame_axi_dma {
    void* user; /* first argument of the callbacks */
    /* A register, bytes from the base of the DMA. */
    uint32_t (*read)(void* user, uint32_t address);
    void (*write)(void* user, uint32_t address, uint32_t value);
    uint64_t device_address; /* of the stream block, as the DMA sees it */
    uint32_t beat_bytes;
    uint32_t length_bits; /* of its length register: BOARD_DMA_LENGTH_BITS of board.h */
    uint32_t max_polls;   /* reads of a register before it has failed; 0: 100000000 */
    /* ---- */
    uint32_t busy; /* something was sent: only then the DMA says whether it is idle */
};

/* Resets the DMA and lets it run. Not 0: it does not answer. */
int macrame_axi_dma_start(struct macrame_axi_dma* dma);

/* For macrame_tcu_machine.send with the DMA as `user`: starts the last transfer when those before
 * are done, and returns. Not 0: the DMA reports an error, or does not come to an end. */
int macrame_axi_dma_send(void* dma, uint64_t offset, uint64_t bytes);

/* For macrame_tcu_machine.drain with the DMA as `user`: waits until all transfers are done. Not 0:
 * the DMA reports an error, or does not come to an end. */
int macrame_axi_dma_drain(void* dma);

#ifdef __cplusplus
}
#endif

#endif
