/* A driver of one layer: SDP makes negative elements of a cube 0. It reaches registers, memory and
 * the interrupt through the four functions below, which is all that a driver written for hardware
 * has to exchange.
 *
 *     driver model|rtl CONFIGURATION...      as for macrame_device_create()
 *
 * Compiled with the headers of a design of that configuration: dla_regs.h, dla_params.h. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "dla_params.h"
#include "dla_regs.h"
#include "macrame_device.h"

static struct macrame_device* accelerator;

/* ---- what reaches the hardware */

static uint32_t reg_read(uint32_t address) { return macrame_device_read(accelerator, address); }

static void reg_write(uint32_t address, uint32_t value) {
    macrame_device_write(accelerator, address, value);
}

static void* at(uint64_t address, size_t bytes, int to_device, void* data) {
    if (to_device) {
        macrame_device_memory_write(accelerator, MACRAME_PORT_PRIMARY, address, data, bytes);
    } else {
        macrame_device_memory_read(accelerator, MACRAME_PORT_PRIMARY, address, data, bytes);
    }
    return data;
}

/* Waits for one of these bits of S_INTR_STATUS and clears it; 0 if none comes. */
static uint32_t interrupt(uint32_t bits) {
    while (macrame_device_wait(accelerator, 100000)) {
        const uint32_t status = reg_read(NVDLA_GLB_S_INTR_STATUS_0);
        reg_write(NVDLA_GLB_S_INTR_STATUS_0, status);
        if (status & bits) return status & bits;
    }
    return 0;
}

/* ---- the driver */

enum { WIDTH = 12, HEIGHT = 3, CHANNELS = DLA_ATOM_BYTES, BYTES = WIDTH * HEIGHT * CHANNELS };
enum { SOURCE = 0x10000, RESULT = 0x20000 };

static void cube(uint32_t width, uint32_t height, uint32_t channel) {
    reg_write(width, WIDTH - 1);
    reg_write(height, HEIGHT - 1);
    reg_write(channel, CHANNELS - 1);
}

static void start_relu(void) {
    const uint32_t line = WIDTH * CHANNELS;
    reg_write(NVDLA_SDP_RDMA_S_POINTER_0, 0);
    reg_write(NVDLA_SDP_S_POINTER_0, 0);
    cube(NVDLA_SDP_RDMA_D_DATA_CUBE_WIDTH_0, NVDLA_SDP_RDMA_D_DATA_CUBE_HEIGHT_0,
         NVDLA_SDP_RDMA_D_DATA_CUBE_CHANNEL_0);
    reg_write(NVDLA_SDP_RDMA_D_SRC_BASE_ADDR_LOW_0, SOURCE);
    reg_write(NVDLA_SDP_RDMA_D_SRC_BASE_ADDR_HIGH_0, 0);
    reg_write(NVDLA_SDP_RDMA_D_SRC_LINE_STRIDE_0, line);
    reg_write(NVDLA_SDP_RDMA_D_SRC_SURFACE_STRIDE_0, HEIGHT * line);
    reg_write(NVDLA_SDP_RDMA_D_BRDMA_CFG_0, 1); /* no operands */
    reg_write(NVDLA_SDP_RDMA_D_NRDMA_CFG_0, 1);
    reg_write(NVDLA_SDP_RDMA_D_ERDMA_CFG_0, 1);
    reg_write(NVDLA_SDP_RDMA_D_FEATURE_MODE_CFG_0, 0); /* from memory, int8 */
    reg_write(NVDLA_SDP_RDMA_D_SRC_DMA_CFG_0, 1);
    cube(NVDLA_SDP_D_DATA_CUBE_WIDTH_0, NVDLA_SDP_D_DATA_CUBE_HEIGHT_0,
         NVDLA_SDP_D_DATA_CUBE_CHANNEL_0);
    reg_write(NVDLA_SDP_D_DST_BASE_ADDR_LOW_0, RESULT);
    reg_write(NVDLA_SDP_D_DST_BASE_ADDR_HIGH_0, 0);
    reg_write(NVDLA_SDP_D_DST_LINE_STRIDE_0, line);
    reg_write(NVDLA_SDP_D_DST_SURFACE_STRIDE_0, HEIGHT * line);
    reg_write(NVDLA_SDP_D_DP_BS_CFG_0, 0x12); /* only the ReLU */
    reg_write(NVDLA_SDP_D_DP_BS_MUL_CFG_0, 0);
    reg_write(NVDLA_SDP_D_DP_BN_CFG_0, 1);
    reg_write(NVDLA_SDP_D_DP_EW_CFG_0, 1);
    reg_write(NVDLA_SDP_D_FEATURE_MODE_CFG_0, 0); /* to memory */
    reg_write(NVDLA_SDP_D_DST_DMA_CFG_0, 1);
    reg_write(NVDLA_SDP_D_DATA_FORMAT_0, 0);
    reg_write(NVDLA_SDP_D_CVT_OFFSET_0, 0);
    reg_write(NVDLA_SDP_D_CVT_SCALE_0, 1);
    reg_write(NVDLA_SDP_D_CVT_SHIFT_0, 0);
    reg_write(NVDLA_SDP_RDMA_D_OP_ENABLE_0, 1);
    reg_write(NVDLA_SDP_D_OP_ENABLE_0, 1);
}

static int relu_works(void) {
    int8_t in[BYTES], out[BYTES];
    int i;
    for (i = 0; i < BYTES; ++i) in[i] = (int8_t)(37 * i - 100);
    at(SOURCE, BYTES, 1, in);
    start_relu();
    if (!interrupt(NVDLA_GLB_S_INTR_STATUS_0_SDP_DONE_STATUS0_MASK)) {
        puts("no interrupt");
        return 0;
    }
    at(RESULT, BYTES, 0, out);
    for (i = 0; i < BYTES; ++i) {
        const int wanted = in[i] > 0 ? in[i] : 0;
        if (out[i] == wanted) continue;
        printf("element %d is %d: want %d\n", i, out[i], wanted);
        return 0;
    }
    return 1;
}

int main(int argc, char** argv) {
    char configuration[1000] = "";
    const int rtl = argc > 1 && strcmp(argv[1], "rtl") == 0;
    int i, works;
    for (i = 2; i < argc; ++i) {
        if (strlen(configuration) + strlen(argv[i]) + 2 > sizeof configuration) return 2;
        strcat(strcat(configuration, argv[i]), " ");
    }
    accelerator =
        macrame_device_create(configuration, rtl ? MACRAME_DEVICE_RTL : MACRAME_DEVICE_MODEL);
    if (accelerator == NULL) return 2;
    printf("version %08x\n", (unsigned)reg_read(NVDLA_GLB_S_NVDLA_HW_VERSION_0));
    works = relu_works();
    macrame_device_reset(accelerator);
    works = works && relu_works(); /* again, after a reset */
    printf("%s: %s, %llu cycles\n", rtl ? "design" : "golden model", works ? "works" : "FAILED",
           (unsigned long long)macrame_device_cycles(accelerator));
    if (macrame_device_destroy(accelerator) != 0) return 1;
    return works ? 0 : 1;
}
