/* A network on a tensor unit whose instructions come by an AXI DMA, without an operating system:
 * the boards with a processor of `macrame fpga`, whose include/ folder the compiler has to find.
 *
 *   DRAM0, DRAM1, STREAM   addresses of memory that processor, unit and DMA reach, uncached or
 *                          coherent; the first two multiples of 64 KiB. No two may overlap.
 *   DRAM1_BYTES            memory for constants; STREAM_BYTES memory for the program
 *   BOARD                  instead: the board has a function of its own that fills in the machine
 *
 * The network is three C arrays, as `xxd -i net.tmodel`, `xxd -i net.tprog`, `xxd -i net.tdata`
 * make them. Start-up code, linker script and what is done with the answer are the board's. */
#include <stddef.h>
#include <stdint.h>

#include "../../tcu/macrame_axi_dma.h"
#include "../../tcu/macrame_tcu.h"

extern unsigned char net_tmodel[], net_tprog[], net_tdata[];
extern unsigned int net_tmodel_len, net_tprog_len, net_tdata_len;

/* For a debugger, or for whoever starts main. */
volatile int tcu_result;
volatile uint32_t tcu_answer; /* number of the largest element of the first output */
int main(void);

/* Pixels times channels of the network; vectors in DRAM coding would do as well. */
#ifndef INPUT_PIXELS
#define INPUT_PIXELS (32 * 32)
#define INPUT_CHANNELS 3
#define OUTPUT_CHANNELS 10
#endif
float tcu_input[INPUT_PIXELS * INPUT_CHANNELS]; /* from a sensor, say */
float tcu_output[OUTPUT_CHANNELS];

#ifdef BOARD
int board_machine(struct macrame_tcu_machine* machine);
#else
#include "architecture_params.h"
#include "board.h"
#include "tcu_params.h"

static struct macrame_axi_dma dma;

static uint32_t read_register(void* user, uint32_t address) {
    (void)user;
    return *(volatile uint32_t*)((uintptr_t)BOARD_DMA_BASE + address);
}

static void write_register(void* user, uint32_t address, uint32_t value) {
    (void)user;
    *(volatile uint32_t*)((uintptr_t)BOARD_DMA_BASE + address) = value;
}

static uint32_t read_core(void* user, uint32_t address) {
    return read_register(user, address + (BOARD_CORE_BASE - BOARD_DMA_BASE));
}

static void write_core(void* user, uint32_t address, uint32_t value) {
    write_register(user, address + (BOARD_CORE_BASE - BOARD_DMA_BASE), value);
}

/* Memory is uncached here, or coherent: order is all that matters. */
static void sync_memory(void* user, const struct macrame_tcu_block* block, uint64_t offset,
                        uint64_t bytes, int to_device) {
    (void)user;
    (void)block;
    (void)offset;
    (void)bytes;
    (void)to_device;
    __sync_synchronize();
}

static void set_block(struct macrame_tcu_block* block, uintptr_t address, uint64_t bytes) {
    block->memory = (uint8_t*)address;
    block->device_address = address;
    block->bytes = bytes;
}

static int board_machine(struct macrame_tcu_machine* machine) {
    static const uint32_t scalar_bytes[] = {1, 2, 4, 4};
    const struct macrame_tcu_architecture* unit = &machine->architecture;
    machine->beat_bytes = BOARD_BEAT_BYTES;
    set_block(&machine->dram0, (uintptr_t)DRAM0,
              unit->dram0_depth * unit->array_size * scalar_bytes[unit->data_type]);
    set_block(&machine->dram1, (uintptr_t)DRAM1, DRAM1_BYTES);
    set_block(&machine->stream, (uintptr_t)STREAM, STREAM_BYTES);
    machine->user = &dma;
    machine->send = macrame_axi_dma_send;
    machine->sync = sync_memory;
    machine->read_register = read_core;
    machine->write_register = write_core;
    machine->drain = macrame_axi_dma_drain;
    machine->identity = TCU_IDENTITY;
    dma.read = read_register;
    dma.write = write_register;
    dma.device_address = machine->stream.device_address;
    dma.beat_bytes = BOARD_BEAT_BYTES;
    dma.length_bits = BOARD_DMA_LENGTH_BITS;
    return macrame_axi_dma_start(&dma) == 0 ? MACRAME_TCU_OK : MACRAME_TCU_STREAM_FAILED;
}
#endif

static uint32_t largest(const float* values, uint32_t count) {
    uint32_t best = 0, i;
    for (i = 1; i < count; ++i) {
        if (values[i] > values[best]) best = i;
    }
    return best;
}

static struct macrame_tcu_network network;
/* What is not set is 0: no wait, no interrupts ... */
#ifdef BOARD
static struct macrame_tcu_machine machine;
#else
static struct macrame_tcu_machine machine = {.architecture = MACRAME_TCU_TENSIL_ARCHITECTURE};
#endif

static int run(void) {
    int error = board_machine(&machine);
    if (error == MACRAME_TCU_OK)
        error = macrame_tcu_open(&network, (const char*)net_tmodel, net_tmodel_len);
    if (error == MACRAME_TCU_OK)
        error = macrame_tcu_attach(&network, net_tprog, net_tprog_len, net_tdata, net_tdata_len);
    if (error == MACRAME_TCU_OK) error = macrame_tcu_load(&network, &machine);
    if (error == MACRAME_TCU_BUS_ERROR) { /* of an earlier run */
        error = macrame_tcu_reset(&network, &machine);
        if (error == MACRAME_TCU_OK) error = macrame_tcu_load(&network, &machine);
    }
    /* From here on for every input. */
    if (error == MACRAME_TCU_OK)
        error =
            macrame_tcu_write_input(&network, &machine, 0, tcu_input, INPUT_PIXELS, INPUT_CHANNELS);
    if (error == MACRAME_TCU_OK) error = macrame_tcu_run(&network, &machine);
    if (error == MACRAME_TCU_OK)
        error = macrame_tcu_read_output(&network, &machine, 0, tcu_output, 1, OUTPUT_CHANNELS);
    if (error == MACRAME_TCU_OK) tcu_answer = largest(tcu_output, OUTPUT_CHANNELS);
    return error;
}

int main(void) {
    tcu_result = run();
    return tcu_result;
}
