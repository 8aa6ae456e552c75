/* An accelerator in this process's reach, for drivers: registers, memory at both ports, the
 * interrupt line, reset. What answers is the golden model or the Verilated design of a
 * configuration, a program of its own behind a socket: this library starts `macrame simulate
 * --serve`.
 *
 *     struct macrame_device* d = macrame_device_create("--preset nv_small", MACRAME_DEVICE_MODEL);
 *     macrame_device_memory_write(d, MACRAME_PORT_PRIMARY, 0x80000000, weights, sizeof weights);
 *     macrame_device_write(d, 0x3010, 1);
 *     if (!macrame_device_wait(d, 1000000)) ...
 *     if (macrame_device_destroy(d) != 0) ...
 *
 * C99 and POSIX. Devices are independent of each other; one device is for one thread at a time. */
#ifndef MACRAME_DEVICE_H
#define MACRAME_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct macrame_device;

enum macrame_device_kind {
    MACRAME_DEVICE_MODEL, /* the golden model: no clock, counters of cycles read 0 */
    MACRAME_DEVICE_RTL    /* the design, compiled by Verilator; built once per configuration */
};

enum macrame_device_port {
    MACRAME_PORT_PRIMARY,  /* DBB */
    MACRAME_PORT_SECONDARY /* CVSRAM: an address space of its own */
};

/* What happened since the statistics were read before, or since the creation. */
struct macrame_device_statistics {
    uint64_t cycles;
    uint64_t register_reads, register_writes; /* of the driver */
    uint64_t layers;                          /* that have begun, copies of BDMA among them */
    uint64_t interrupts;                      /* rises of the interrupt line */
    uint64_t read_bytes, write_bytes;         /* of the accelerator at its memory ports */
    uint64_t read_stalls, write_stalls;       /* cycles that a request waited there; model: 0 */
};

/* A device of the configuration that these arguments of `macrame simulate` name, words separated by
 * blanks: "--preset nv_full", "--config my.toml", also "--latency 100 --wave run.fst". What a layer
 * breaks of the programming rules is said when it begins; "--strict" ends the device there,
 * "--verbose" adds warnings; "--record FILE" writes a trace of all. The program is the one in the
 * environment variable MACRAME, else `macrame` in PATH. It is reset and its memories are empty.
 * Null after a mistake, which the program has said on standard error. */
struct macrame_device* macrame_device_create(const char* configuration,
                                             enum macrame_device_kind kind);

/* Ends it. 0 if all was well; else there were errors, said on standard error: the program died, or
 * a driver or design broke a rule of its ports. Null is allowed. */
int macrame_device_destroy(struct macrame_device* device);

/* Reset pulse: registers get their reset values, the memories keep their contents. */
void macrame_device_reset(struct macrame_device* device);

/* A 32-bit register at a byte address. Reading lets a little time pass, so that loops which wait
 * for a register end. */
uint32_t macrame_device_read(struct macrame_device* device, uint32_t address);
void macrame_device_write(struct macrame_device* device, uint32_t address, uint32_t value);

/* Contents of a memory. Bytes that nobody wrote are 0. A port that the configuration has not, or
 * an address beyond those that it has (mem-address-width), ends the program, which says so on
 * standard error. */
void macrame_device_memory_read(struct macrame_device* device, enum macrame_device_port port,
                                uint64_t address, void* to, size_t bytes);
void macrame_device_memory_write(struct macrame_device* device, enum macrame_device_port port,
                                 uint64_t address, const void* from, size_t bytes);

/* Waits until the interrupt line is high: 1; 0 if it is not after so many cycles. With 0 cycles it
 * tells the level. */
int macrame_device_wait(struct macrame_device* device, uint64_t cycles);

/* Lets so many cycles pass, whatever the interrupt line does; returns macrame_device_cycles(). */
uint64_t macrame_device_advance(struct macrame_device* device, uint64_t cycles);

/* Core clock cycles since the reset; of a model what it was asked to wait. */
uint64_t macrame_device_cycles(struct macrame_device* device);

/* What programs were compiled for that run on this configuration: macrame_check_identity(). */
uint32_t macrame_device_identity(struct macrame_device* device);

/* Reads the statistics, which begin at 0 again. 0, or what macrame_device_error() tells. */
int macrame_device_statistics(struct macrame_device* device, struct macrame_device_statistics* to);

/* 0 as long as the program answers. After that reads give 0 and waits end at once. */
int macrame_device_error(const struct macrame_device* device);

/* What the program has said of errors so far, those of the calls before among them; "" if there are
 * none. All of it goes to standard error, too. It holds until the next call for the device. With
 * null: of the last macrame_device_create() that gave none. */
const char* macrame_device_error_text(struct macrame_device* device);

#ifdef __cplusplus
}
#endif

#endif
