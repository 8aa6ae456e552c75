/* A network on an accelerator with memory-mapped registers, without an operating system.
 *
 *   REGISTERS    address of the accelerator's registers
 *   REGISTER_BYTES  0x40000; how many there are
 *   DMA_MEMORY   address of memory that both it and the processor reach, uncached or coherent
 *   DMA_OFFSET   0; what the accelerator adds to the processor's addresses of that memory
 *   DMA_BYTES    0x10000000; how much memory there is
 *   BOARD        instead of REGISTERS and DMA_MEMORY: the board has functions of its own for
 *                registers, interrupt, caches and memory (board_read ... below); DMA_OFFSET is
 *                the accelerator's address of the memory then
 *   HOST         the processor computes a part of the network: net_host.c of `macrame compile
 *                net.tflite` (host/README.md) is compiled, too, with what net_host.mk lists
 *   USE_WFI      sleep with wfi: then the interrupt must be enabled at the interrupt controller.
 *                Without, the status register is read until something comes.
 *
 * The network is a C array macrame_network (compiler: c_array of a program). Start-up code, linker
 * script and what is done with the answer are the board's. */
#include <stddef.h>
#include <stdint.h>

#include "../../macrame.h"
#ifdef HOST
#include "net_host.h"
#endif

#ifndef REGISTER_BYTES
#define REGISTER_BYTES 0x40000
#endif
#ifndef DMA_OFFSET
#define DMA_OFFSET 0
#endif
#ifndef DMA_BYTES
#define DMA_BYTES 0x10000000
#endif

extern const uint8_t macrame_network[];
extern const uint32_t macrame_network_bytes;

/* For a debugger, or for whoever starts main. */
volatile int macrame_result;
volatile uint32_t macrame_answer; /* number of the largest element of the first output */
int main(void);

#ifdef BOARD
uint32_t board_read(void* user, uint32_t address);
void board_write(void* user, uint32_t address, uint32_t value);
int board_wait(void* user, uint32_t timeout_ms);
void board_sync(void* user, uint64_t offset, uint64_t bytes, int to_device);
uint8_t* board_memory(void);
#else
static uint32_t board_read(void* user, uint32_t address) {
    (void)user;
    return *(volatile uint32_t*)((uintptr_t)REGISTERS + address);
}

static void board_write(void* user, uint32_t address, uint32_t value) {
    (void)user;
    *(volatile uint32_t*)((uintptr_t)REGISTERS + address) = value;
}

#ifdef USE_WFI
/* Wakes at any interrupt that is enabled, even while they are masked in the processor. A timer that
 * is enabled ends a sleep, too; then the runtime looks at the status and sleeps again. */
static int board_wait(void* user, uint32_t timeout_ms) {
    (void)user;
    if (timeout_ms != 0) __asm__ volatile("wfi" ::: "memory");
    return 1;
}
#else
#define board_wait NULL
#endif

/* Memory is uncached here, or coherent. What was written must have left the processor all the same
 * before the accelerator is started, and nothing may be read before it is done. */
static void board_sync(void* user, uint64_t offset, uint64_t bytes, int to_device) {
    (void)user;
    (void)offset;
    (void)bytes;
    (void)to_device;
    __sync_synchronize();
}

static uint8_t* board_memory(void) { return (uint8_t*)(uintptr_t)DMA_MEMORY; }
#endif

static uint32_t largest(const int8_t* values, uint64_t count) {
    uint32_t best = 0, i;
    for (i = 1; i < count; ++i) {
        if (values[i] > values[best]) best = i;
    }
    return best;
}

int8_t macrame_input[1 << 16]; /* from a sensor, say */
int8_t macrame_output[1 << 14];

#ifdef HOST
/* All of the network: programs of the hardware and operators of the processor. */
static int compute(const struct macrame_program* program, const struct macrame_machine* machine) {
    static uint64_t arena[(NET_ARENA_BYTES + 7) / 8];
    static struct net net;
    const void* inputs[1];
    void* outputs[1];
    int error;
    if (NET_INPUT_0_BYTES > sizeof macrame_input || NET_OUTPUT_0_BYTES > sizeof macrame_output)
        return MACRAME_WRONG_LENGTH;
    net.programs = program;
    net.machines = machine;
    net.arena = arena;
    inputs[0] = macrame_input;
    outputs[0] = macrame_output;
    net_begin(&net); /* once */
    error = net_run(&net, inputs, outputs);
    if (error == MACRAME_OK) macrame_answer = largest(macrame_output, NET_OUTPUT_0_BYTES);
    return error;
}
#else
static int compute(const struct macrame_program* program, const struct macrame_machine* machine) {
    struct macrame_tensor in, out;
    int error = macrame_get_input(program, 0, &in);
    if (error == MACRAME_OK) error = macrame_get_output(program, 0, &out);
    if (error != MACRAME_OK) return error;
    if (in.bytes > sizeof macrame_input || out.bytes > sizeof macrame_output)
        return MACRAME_WRONG_LENGTH;
    error = macrame_write_input(program, machine, 0, macrame_input, in.bytes);
    if (error == MACRAME_OK) error = macrame_run(program, machine);
    if (error == MACRAME_OK)
        error = macrame_read_output(program, machine, 0, macrame_output, out.bytes);
    if (error == MACRAME_OK) macrame_answer = largest(macrame_output, out.bytes);
    return error;
}
#endif

static int run(void) {
    struct macrame_program program;
    struct macrame_machine machine;
    int error = macrame_open(&program, macrame_network, macrame_network_bytes);
#ifdef DLA_IDENTITY /* -include include/dla_params.h of the design: is the network for it? */
    program.hardware = DLA_IDENTITY;
#endif
    if (error != MACRAME_OK) return error;
    machine.user = NULL;
    machine.read = board_read;
    machine.write = board_write;
    machine.wait = board_wait;
    machine.sync = board_sync;
    machine.memory = board_memory();
#ifdef BOARD
    machine.device_address = DMA_OFFSET;
    machine.registers = NULL;
    machine.register_bytes = 0;
#else
    machine.registers = (volatile uint32_t*)REGISTERS;
    machine.register_bytes = REGISTER_BYTES;
    machine.device_address = (uint64_t)DMA_MEMORY + (uint64_t)DMA_OFFSET;
#endif
    machine.memory_bytes = DMA_BYTES;
    error = macrame_prepare(&program, &machine);
    return error == MACRAME_OK ? compute(&program, &machine) : error;
}

int main(void) {
    macrame_result = run();
    return macrame_result;
}
