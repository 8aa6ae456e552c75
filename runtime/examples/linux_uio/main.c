/* Runs a program file on an accelerator from user space on Linux.
 *
 *   cc -O2 -o run runtime/examples/linux_uio/main.c runtime/macrame.c runtime/macrame_open.c
 *   ./run uio0 network.bin input.raw output.raw
 *
 * The UIO device (uio_pdrv_genirq, say) has the registers as map 0, memory that the accelerator
 * reaches as map 1 and the interrupt. Inputs and outputs are packed y, x, c, all of them back to
 * back. Exit status 1 and one line if something is wrong. */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../macrame.h"

struct device {
    int uio;
    volatile uint32_t* registers;
    uint64_t register_bytes;
};

static void fail(const char* what, const char* why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void check(int error, const char* what) {
    if (error != MACRAME_OK) fail(what, macrame_error_text(error));
}

/* ------------------------------------------------------------------ the machine */

static uint32_t read_register(void* user, uint32_t address) {
    const struct device* device = user;
    return address < device->register_bytes ? device->registers[address / 4] : 0;
}

static void write_register(void* user, uint32_t address, uint32_t value) {
    const struct device* device = user;
    if (address < device->register_bytes) device->registers[address / 4] = value;
}

/* The kernel masks the interrupt when it comes; a 1 written lets it through again. */
static int wait_for_interrupt(void* user, uint32_t timeout_ms) {
    const struct device* device = user;
    const uint32_t unmask = 1;
    uint32_t count;
    struct pollfd event;
    event.fd = device->uio;
    event.events = POLLIN;
    if (write(device->uio, &unmask, sizeof unmask) != (ssize_t)sizeof unmask)
        fail("interrupt", "cannot be let through");
    if (poll(&event, 1, (int)timeout_ms) <= 0) return 0;
    return read(device->uio, &count, sizeof count) == (ssize_t)sizeof count;
}

/* UIO maps device memory uncached: order is all that matters. */
static void sync_memory(void* user, uint64_t offset, uint64_t bytes, int to_device) {
    (void)user;
    (void)offset;
    (void)bytes;
    (void)to_device;
    __sync_synchronize();
}

/* A number out of /sys/class/uio/DEVICE/maps/mapN/. */
static uint64_t map_number(const char* name, int map, const char* what) {
    char path[256];
    uint64_t value = 0;
    FILE* file;
    snprintf(path, sizeof path, "/sys/class/uio/%s/maps/map%d/%s", name, map, what);
    file = fopen(path, "r");
    if (!file || fscanf(file, "%" SCNx64, &value) != 1) fail(path, "want a number");
    fclose(file);
    return value;
}

static void* map_memory(const struct device* device, int map, uint64_t bytes) {
    void* at = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, device->uio,
                    (off_t)map * sysconf(_SC_PAGESIZE));
    if (at == MAP_FAILED) fail(map == 0 ? "registers" : "memory", "cannot be mapped");
    return at;
}

static void open_device(struct device* device, struct macrame_machine* machine, const char* name) {
    char path[256];
    snprintf(path, sizeof path, "/dev/%s", name);
    device->uio = open(path, O_RDWR);
    if (device->uio < 0) fail(path, "cannot be opened");
    device->register_bytes = map_number(name, 0, "size");
    device->registers = map_memory(device, 0, device->register_bytes);
    memset(machine, 0, sizeof *machine);
    machine->user = device;
    machine->read = read_register;
    machine->write = write_register;
    machine->wait = wait_for_interrupt;
    machine->sync = sync_memory;
    machine->device_address = map_number(name, 1, "addr");
    machine->memory_bytes = map_number(name, 1, "size");
    machine->memory = map_memory(device, 1, machine->memory_bytes);
}

/* ------------------------------------------------------------------ files */

static uint8_t* read_file(const char* path, size_t* bytes) {
    uint8_t* data = NULL;
    long size = -1;
    FILE* file = fopen(path, "rb");
    if (file && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size >= 0) data = malloc((size_t)size + 1);
    if (!data) fail(path, "cannot be read");
    rewind(file);
    if (fread(data, 1, (size_t)size, file) != (size_t)size) fail(path, "cannot be read");
    fclose(file);
    *bytes = (size_t)size;
    return data;
}

static void write_inputs(const struct macrame_program* program,
                         const struct macrame_machine* machine, const char* path) {
    size_t bytes, at = 0;
    uint8_t* data = read_file(path, &bytes);
    struct macrame_tensor tensor;
    uint32_t i;
    for (i = 0; i < program->input_count; ++i) {
        check(macrame_get_input(program, i, &tensor), path);
        if (tensor.bytes > bytes - at) fail(path, "too short for the inputs");
        check(macrame_write_input(program, machine, i, data + at, tensor.bytes), path);
        at += (size_t)tensor.bytes;
    }
    if (at != bytes) fail(path, "longer than the inputs");
    free(data);
}

static void read_outputs(const struct macrame_program* program,
                         const struct macrame_machine* machine, const char* path) {
    struct macrame_tensor tensor;
    uint32_t i;
    FILE* file = fopen(path, "wb");
    if (!file) fail(path, "cannot be written");
    for (i = 0; i < program->output_count; ++i) {
        uint8_t* data;
        check(macrame_get_output(program, i, &tensor), path);
        data = malloc((size_t)tensor.bytes);
        if (!data) fail(path, "no memory");
        check(macrame_read_output(program, machine, i, data, tensor.bytes), path);
        if (fwrite(data, 1, (size_t)tensor.bytes, file) != tensor.bytes)
            fail(path, "cannot be written");
        free(data);
    }
    if (fclose(file) != 0) fail(path, "cannot be written");
}

int main(int argc, char** argv) {
    struct device device;
    struct macrame_machine machine;
    struct macrame_program program;
    struct macrame_runner run;
    uint8_t* file;
    size_t bytes;
    int error;
    if (argc != 5) fail(argv[0], "want UIO-DEVICE PROGRAM INPUT OUTPUT");
    file = read_file(argv[2], &bytes);
    check(macrame_open(&program, file, bytes), argv[2]);
#ifdef DLA_IDENTITY /* -include include/dla_params.h of the design: is the program for it? */
    program.hardware = DLA_IDENTITY;
#endif
    open_device(&device, &machine, argv[1]);
    check(macrame_prepare(&program, &machine), argv[2]);
    write_inputs(&program, &machine, argv[3]);
    check(macrame_begin(&run, &program, &machine), argv[2]);
    error = macrame_finish(&run);
    if (error != MACRAME_OK) {
        struct macrame_layer layer;
        const int known = macrame_get_layer(&program, run.current, &layer) == MACRAME_OK;
        fprintf(stderr, "command %" PRIu32 " of layer %s: ", run.next, known ? layer.name : "?");
    }
    check(error, argv[2]);
    read_outputs(&program, &machine, argv[4]);
    return 0;
}
