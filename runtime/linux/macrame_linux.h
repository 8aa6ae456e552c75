/* An accelerator from user space on Linux, without a kernel driver of its own: registers and
 * interrupt are a UIO device, memory is a buffer of the u-dma-buf driver, or both are ranges of
 * /dev/mem, without an interrupt, to try it. What it opens is a machine of macrame.h.
 *
 *     macrame_linux_open -> the runtime with device.machine -> macrame_linux_close
 *
 * C99 and Linux. Devices are independent of each other; one is for one thread at a time. */
#ifndef MACRAME_LINUX_H
#define MACRAME_LINUX_H

#include "../macrame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file that is mapped. */
struct macrame_linux_map {
    int file; /* -1: there is none */
    uint8_t* at;
    size_t bytes;   /* that are mapped */
    uint32_t front; /* of these, in front of what is wanted */
};

struct macrame_linux {
    struct macrame_linux_map registers, buffer;
    uint64_t register_bytes;
    int has_interrupt;
    struct macrame_machine machine;
    uint64_t outside; /* the first register address beyond its map that a run used, + 1; 0: none */
    char error[320];  /* one sentence behind a call that failed, or a wait that broke off */
};

struct macrame_linux_names {
    /* In front of /dev and /sys, for tests; null: nothing. */
    const char* root;
    /* "uio0"; or the name of a UIO device as /sys/class/uio/uioN/name has it, the node of the
     * device tree; or "mem:ADDRESS:BYTES". */
    const char* registers;
    /* "udmabuf0"; "mapN", a further map of the UIO device; "mem:ADDRESS:BYTES". */
    const char* buffer;
};

/* Opens the device, for this process alone: another one that has it, or its buffer, is an error.
 * The kernel gives it back when the process ends, however it ends. The buffer must have at least
 * `bytes` (macrame_program.memory_bytes). 0, or -1 with device->error, and nothing is open. */
int macrame_linux_open(struct macrame_linux* device, const struct macrame_linux_names* names,
                       uint64_t bytes);

void macrame_linux_close(struct macrame_linux* device);

/* ---- for macrame_linux.c: the accesses that a test answers in place of hardware */

uint32_t macrame_linux_load(const volatile uint32_t* at);
void macrame_linux_store(volatile uint32_t* at, uint32_t value);
/* Orders what the processor wrote to the buffer and registers, and what it reads from there.
 * The buffer is at `memory`. */
void macrame_linux_sync(const struct macrame_machine* machine, uint64_t offset, uint64_t bytes,
                        int to_device);
/* Lets the interrupt of a UIO device through and sleeps until it comes: 1; 0: timeout_ms have
 * passed; -1: the file fails, errno tells how. */
int macrame_linux_wait(int file, uint32_t timeout_ms);

#ifdef __cplusplus
}
#endif

#endif
