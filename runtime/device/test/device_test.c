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

/* A configuration with one port. */
static void no_port(struct macrame_device* device) {
    uint8_t found[4] = {1, 1, 1, 1};
    macrame_device_memory_read(device, MACRAME_PORT_SECONDARY, 0, found, sizeof found);
    expect(found[0] == 0, "memory at a port that is not there");
    expect(macrame_device_error(device) != 0, "no error at a port that is not there");
    expect(macrame_device_destroy(device) != 0, "an end without an error");
}

/* A configuration with addresses of 32 bits: what lies behind them is an error, nothing else's
 * memory. */
static void beyond(struct macrame_device* device) {
    const uint8_t words[4] = {1, 2, 3, 4};
    expect(macrame_device_identity(device) != 0, "no identity");
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
    expect(macrame_device_destroy(device) == 0, "an end with an error");
    expect(macrame_device_destroy(NULL) == 0, "an end of nothing with an error");
    device = macrame_device_create(argc > 2 ? argv[2] : "", MACRAME_DEVICE_MODEL);
    if (device == NULL) return 2;
    no_port(device);
    device = macrame_device_create(argc > 2 ? argv[2] : "", MACRAME_DEVICE_MODEL);
    if (device == NULL) return 2;
    beyond(device);
    if (setenv("MACRAME", getenv("GONE"), 1) != 0) return 2;
    device = macrame_device_create(configuration, MACRAME_DEVICE_MODEL);
    expect(device != NULL, "no device although the program said hello");
    if (device != NULL) gone(device);
    return failures != 0;
}
