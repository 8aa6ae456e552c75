/* ${configuration} on ${board}: what software has to know of the block design.
 * Made by macrame ${version}. */
#ifndef BOARD_H
#define BOARD_H

#define BOARD_DMA_BASE ${control_base}u /* registers of axi_dma_0, which brings the instructions */
#define BOARD_DMA_BYTES (${control_kib}u * 1024u)
#define BOARD_DMA_LENGTH_BITS 26
#define BOARD_CORE_BASE ${second_base}u /* registers of the core */
#define BOARD_CORE_BYTES (${control_kib}u * 1024u)
#define BOARD_BEAT_BYTES ${axi_data_width / 8}u /* of the instruction stream */
#define BOARD_CORE_KHZ ${clock_khz}u

#endif
