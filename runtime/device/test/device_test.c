/* The device library beside a driver: memories, waits, and what is left when the program ends
 * early.
 *
 *     device_test TWO ONE    configurations with so many memory ports
 *
 * MACRAME: the program; GONE: one that ends behind its hello. */
#define _POSIX_C_SOURCE 200112L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dla_regs.h"
#include "macrame_device.h"

static int failures;

static void expect(int holds, const char* what) {
    if (holds) return;
    printf("%s\n", what);
    ++failures;
}

static void memories(struct macrame_device* device) {
    const uint8_t words[5] = {1, 2, 3, 4, 5};
    uint8_t found[7];
    const uint64_t far = UINT64_C(0xFFFFFFFFFFFF0000);
    macrame_device_memory_write(device, MACRAME_PORT_PRIMARY, far, words, sizeof words);
    memset(found, 9, sizeof found);
    macrame_device_memory_read(device, MACRAME_PORT_PRIMARY, far - 1, found, sizeof found);
    expect(found[0] == 0 && memcmp(found + 1, words, sizeof words) == 0 && found[6] == 0,
           "memory is not what was written, 0 around it");
    macrame_device_memory_write(device, MACRAME_PORT_SECONDARY, far + 1, words, 1);
    macrame_device_memory_read(device, MACRAME_PORT_SECONDARY, far, found, sizeof words);
    expect(found[0] == 0 && found[1] == 1 && found[2] == 0, "the ports share a memory");
    macrame_device_reset(device);
    macrame_device_memory_read(device, MACRAME_PORT_PRIMARY, far, found, sizeof words);
    expect(memcmp(found, words, sizeof words) == 0, "a reset changes the memory");
}

static void waits(struct macrame_device* device) {
    uint64_t before;
    expect(macrame_device_wait(device, 0) == 0, "an interrupt of nothing");
    before = macrame_device_cycles(device);
    expect(macrame_device_wait(device, 1000) == 0, "an interrupt of nothing after a while");
    expect(macrame_device_cycles(device) >= before + 1000, "a wait that takes no time");
    expect(macrame_device_error(device) == 0, "an error of nothing");
}

/* Nothing happens: as many cycles as one likes take no time. */
static void stillness(struct macrame_device* device) {
    const uint64_t many = UINT64_C(1) << 50;
    uint64_t before = macrame_device_cycles(device);
    expect(macrame_device_wait(device, many) == 0, "an interrupt of nothing after a year");
    expect(macrame_device_cycles(device) == before + many, "a year of another length");
    expect(macrame_device_advance(device, 77) == before + many + 77, "time that passes not");
    expect(macrame_device_cycles(device) == before + many + 77, "time that has not passed");
}

static void statistics(struct macrame_device* device) {
    struct macrame_device_statistics found;
    expect(macrame_device_statistics(device, &found) == 0, "no statistics");
    macrame_device_write(device, NVDLA_GLB_S_INTR_MASK_0, 1);
    macrame_device_write(device, NVDLA_GLB_S_INTR_MASK_0, 0);
    macrame_device_read(device, NVDLA_GLB_S_INTR_MASK_0);
    macrame_device_write(device, NVDLA_GLB_S_INTR_SET_0, 1);
    macrame_device_advance(device, 100);
    macrame_device_statistics(device, &found);
    expect(found.register_writes == 3 && found.register_reads == 1 && found.interrupts == 1 &&
               found.cycles >= 100 && found.layers == 0 && found.read_bytes == 0,
           "wrong statistics");
    macrame_device_statistics(device, &found);
    expect(found.register_writes == 0 && found.cycles == 0, "statistics that count twice");
    macrame_device_reset(device);
}

/* A layer that breaks rules is told at once; strictly, it ends the device. */
static void rules(const char* configuration, int strict) {
    char text[100];
    struct macrame_device* device;
    snprintf(text, sizeof text, "%s%s", configuration, strict ? " --strict" : "");
    device = macrame_device_create(text, MACRAME_DEVICE_MODEL);
    expect(device != NULL, "no device");
    if (device == NULL) return;
    expect(*macrame_device_error_text(device) == '\0', "an error text of nothing");
    macrame_device_write(device, NVDLA_CDP_RDMA_D_OP_ENABLE_0, 1);
    macrame_device_wait(device, 1000);
    expect(
        strstr(macrame_device_error_text(device), "CDP_RDMA waits: CDP was never enabled") != NULL,
        "no word why nothing comes");
    macrame_device_write(device, NVDLA_CDP_D_OP_ENABLE_0, 1);
    expect(strstr(macrame_device_error_text(device), "error memory-port: ") != NULL,
           "no word of a broken rule");
    expect((macrame_device_error(device) != 0) == strict, "strict or not: the other");
    expect(!strict || strstr(macrame_device_error_text(device), "--strict") != NULL,
           "no word why it ended");
    expect((macrame_device_destroy(device) != 0) == strict, "an end like the other");
}

/* A configuration with one port. */
static void no_port(struct macrame_device* device) {
    uint8_t found[4] = {1, 1, 1, 1};
    macrame_device_memory_read(device, MACRAME_PORT_SECONDARY, 0, found, sizeof found);
    expect(found[0] == 0, "memory at a port that is not there");
    expect(macrame_device_error(device) != 0, "no error at a port that is not there");
    expect(strstr(macrame_device_error_text(device), "no memory port 1") != NULL,
           "no word of the port");
    expect(macrame_device_destroy(device) != 0, "an end without an error");
}

/* A configuration with addresses of 32 bits: what lies behind them is an error, nothing else's
 * memory. */
static void beyond(struct macrame_device* device) {
    const uint8_t words[4] = {1, 2, 3, 4};
    const uint32_t identity = macrame_device_identity(device);
    expect(identity != 0, "no identity");
    /* Where the derived words of CFGROM have it: other registers behind the reference's read 0. */
    expect(macrame_device_read(device, 0x1a8) == identity, "no word of the identity");
    expect(macrame_device_read(device, 0x1a4) == 0, "a word behind the reference ROM");
    macrame_device_memory_write(device, MACRAME_PORT_PRIMARY, 0xFFFFFFFCu, words, sizeof words);
    expect(macrame_device_read(device, 0x1000) != 0, "no version: the last word is no address");
    expect(macrame_device_error(device) == 0, "an error at the last word of memory");
    macrame_device_memory_write(device, MACRAME_PORT_PRIMARY, UINT64_C(0x100000000), words,
                                sizeof words);
    macrame_device_read(device, 0x1000);
    expect(macrame_device_error(device) != 0, "no error beyond the addresses");
    expect(macrame_device_destroy(device) != 0, "an end without an error");
}

/* The program is gone: reads give 0, waits end at once, the end tells it. */
static void gone(struct macrame_device* device) {
    uint8_t found[4] = {1, 1, 1, 1};
    expect(macrame_device_read(device, 0) == 0, "a register of a program that is gone");
    expect(macrame_device_error(device) != 0, "no error although the program is gone");
    expect(macrame_device_wait(device, 1000) == 0, "an interrupt of a program that is gone");
    macrame_device_memory_read(device, MACRAME_PORT_PRIMARY, 0, found, sizeof found);
    expect(found[0] == 0 && found[3] == 0, "memory of a program that is gone");
    expect(macrame_device_destroy(device) != 0, "an end without an error");
}

int main(int argc, char** argv) {
    const char* const configuration = argc > 2 ? argv[1] : "";
    struct macrame_device* device = macrame_device_create(configuration, MACRAME_DEVICE_MODEL);
    if (device == NULL) return 2;
    memories(device);
    waits(device);
    stillness(device);
    statistics(device);
    expect(macrame_device_destroy(device) == 0, "an end with an error");
    expect(macrame_device_destroy(NULL) == 0, "an end of nothing with an error");
    device = macrame_device_create(argc > 2 ? argv[2] : "", MACRAME_DEVICE_MODEL);
    if (device == NULL) return 2;
    no_port(device);
    device = macrame_device_create(argc > 2 ? argv[2] : "", MACRAME_DEVICE_MODEL);
    if (device == NULL) return 2;
    beyond(device);
    rules(argc > 2 ? argv[2] : "", 0);
    rules(argc > 2 ? argv[2] : "", 1);
    device = macrame_device_create("--preset no_such", MACRAME_DEVICE_MODEL);
    expect(device == NULL && strstr(macrame_device_error_text(NULL), "no_such") != NULL,
           "no word why there is no device");
    if (setenv("MACRAME", getenv("GONE"), 1) != 0) return 2;
    device = macrame_device_create(configuration, MACRAME_DEVICE_MODEL);
    expect(device != NULL, "no device although the program said hello");
    if (device != NULL) gone(device);
    return failures != 0;
}
