/* Runs a compiled network on an accelerator from user space on Linux (docs/linux.md).
 *
 *   cc -O2 -include PROJECT/include/dla_params.h -include PROJECT/include/dla_regs.h \
 *      -o run_network runtime/examples/run_network/main.c runtime/linux/[a-z]*.c runtime/[a-z]*.c
 *   run_network [OPTION VALUE]... PROGRAM INPUTS OUTPUTS
 *
 *   --device uio0        UIO device by number or name, or mem:ADDRESS:BYTES
 *   --buffer udmabuf0    buffer of u-dma-buf, mapN of the UIO device, or mem:ADDRESS:BYTES
 *   --timeout 10000      milliseconds for one interrupt
 *   --network NAME       of a program of several networks
 *   --root FOLDER        in front of /dev and /sys
 *
 * INPUTS has any number of inputs, packed y, x, c; those of one run are back to back. OUTPUTS gets
 * as many outputs. With the headers of the project, which may be left out, a program for other
 * hardware is refused, and the accelerator is reset first: what ran on it may have been killed.
 * Exit status 1 and one line if something is wrong. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../linux/macrame_linux.h"
#include "../../macrame.h"

struct options {
    struct macrame_linux_names names;
    const char* network;
    uint32_t timeout_ms;
    const char* files[3]; /* program, inputs, outputs */
};

static void fail(const char* what, const char* why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void check(int error, const char* what) {
    if (error != MACRAME_OK) fail(what, macrame_error_text(error));
}

/* ------------------------------------------------------------------ options and files */

static uint32_t milliseconds(const char* text) {
    char* end;
    const unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || value == 0 || value > 1000000000)
        fail("--timeout", "want milliseconds, 1 to 1000000000");
    return (uint32_t)value;
}

static void set_option(struct options* options, const char* name, const char* value) {
    if (!value) fail(name, "want a value behind it");
    if (strcmp(name, "--device") == 0)
        options->names.registers = value;
    else if (strcmp(name, "--buffer") == 0)
        options->names.buffer = value;
    else if (strcmp(name, "--root") == 0)
        options->names.root = value;
    else if (strcmp(name, "--network") == 0)
        options->network = value;
    else if (strcmp(name, "--timeout") == 0)
        options->timeout_ms = milliseconds(value);
    else
        fail(name, "want --device, --buffer, --timeout, --network or --root");
}

static struct options options_of(int argc, char** argv) {
    struct options options = {{NULL, "uio0", "udmabuf0"}, NULL, 10000, {NULL, NULL, NULL}};
    int i, files = 0;
    for (i = 1; i < argc; ++i) {
        if (strncmp(argv[i], "--", 2) == 0) {
            set_option(&options, argv[i], argv[i + 1]);
            ++i;
        } else if (files++ < 3) {
            options.files[files - 1] = argv[i];
        }
    }
    if (files != 3) fail(argv[0], "want [OPTION VALUE]... PROGRAM INPUTS OUTPUTS");
    return options;
}

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

/* ------------------------------------------------------------------ the network */

typedef int (*get_tensor)(const struct macrame_program*, uint32_t, struct macrame_tensor*);

/* Bytes of all inputs or outputs of a run. */
static size_t bytes_of(const struct macrame_program* program, uint32_t count, get_tensor get) {
    struct macrame_tensor tensor;
    size_t sum = 0;
    uint32_t i;
    for (i = 0; i < count; ++i) {
        check(get(program, i, &tensor), "tensors");
        sum += (size_t)tensor.bytes;
    }
    return sum;
}

/* Every register of the program is there. */
static void check_registers(const struct options* options, const struct macrame_program* program,
                            const struct macrame_linux* device) {
    struct macrame_command command;
    uint32_t i, last = program->interrupt_status;
    for (i = 0; i < program->command_count; ++i) {
        check(macrame_get_command(program, i, &command), options->files[0]);
        if (command.code <= MACRAME_POLL && command.address > last) last = command.address;
    }
    if ((uint64_t)last + 4 <= device->register_bytes) return;
    fprintf(stderr, "%s: has a register at 0x%" PRIx32 ": want them below 0x%" PRIx64 " of %s\n",
            options->files[0], last, device->register_bytes, options->names.registers);
    exit(1);
}

/* Runs once, and says where it ends if it does not end well. */
static void run(const struct options* options, const struct macrame_program* program,
                const struct macrame_linux* device) {
    struct macrame_runner runner;
    struct macrame_layer layer;
    int error, known;
    check(macrame_begin(&runner, program, &device->machine), options->files[0]);
    runner.timeout_ms = options->timeout_ms;
    error = macrame_finish(&runner);
    if (error == MACRAME_OK) return;
    known = macrame_get_layer(program, runner.current, &layer) == MACRAME_OK;
    fprintf(stderr, "%s: command %" PRIu32 " of layer %s: %s%s%s\n", options->files[0], runner.next,
            known ? layer.name : "?", macrame_error_text(error), device->error[0] ? ": " : "",
            device->error);
    exit(1);
}

static void run_once(const struct options* options, const struct macrame_program* program,
                     const struct macrame_linux* device, const uint8_t* in, uint8_t* out) {
    struct macrame_tensor tensor;
    uint32_t i;
    for (i = 0; i < program->input_count; ++i) {
        check(macrame_get_input(program, i, &tensor), options->files[1]);
        check(macrame_write_input(program, &device->machine, i, in, tensor.bytes),
              options->files[1]);
        in += tensor.bytes;
    }
    run(options, program, device);
    for (i = 0; i < program->output_count; ++i) {
        check(macrame_get_output(program, i, &tensor), options->files[2]);
        check(macrame_read_output(program, &device->machine, i, out, tensor.bytes),
              options->files[2]);
        out += tensor.bytes;
    }
}

static void open_program(const struct options* options, struct macrame_program* program,
                         const uint8_t* file, size_t bytes) {
    check(macrame_open(program, file, bytes), options->files[0]);
#ifdef DLA_IDENTITY
    program->hardware = DLA_IDENTITY;
#endif
    if (options->network) check(macrame_select(program, options->network), options->network);
    if (program->network_count > 1 && !program->name)
        fail(options->files[0], "has several networks: want --network");
}

static void run_all(const struct options* options, const struct macrame_program* program,
                    const struct macrame_linux* device) {
    const size_t in = bytes_of(program, program->input_count, macrame_get_input);
    const size_t out = bytes_of(program, program->output_count, macrame_get_output);
    size_t bytes, runs, i;
    uint8_t* inputs = read_file(options->files[1], &bytes);
    uint8_t* outputs;
    FILE* file;
    if (in == 0 || bytes == 0 || bytes % in != 0) {
        fprintf(stderr, "%s: %zu bytes: want %zu for each run\n", options->files[1], bytes, in);
        exit(1);
    }
    runs = bytes / in;
    outputs = runs > SIZE_MAX / (out + 1) ? NULL : malloc(runs * out + 1);
    if (!outputs) fail(options->files[2], "no memory");
    check(macrame_prepare(program, &device->machine), options->files[0]);
    for (i = 0; i < runs; ++i)
        run_once(options, program, device, inputs + i * in, outputs + i * out);
    /* Of runs that failed there is no file. */
    file = fopen(options->files[2], "wb");
    if (!file) fail(options->files[2], "cannot be written");
    bytes = fwrite(outputs, 1, runs * out, file);
    if (fclose(file) != 0 || bytes != runs * out) {
        remove(options->files[2]);
        fail(options->files[2], "cannot be written");
    }
    free(outputs);
    free(inputs);
}

int main(int argc, char** argv) {
    const struct options options = options_of(argc, argv);
    struct macrame_linux device;
    struct macrame_program program;
    size_t bytes;
    uint8_t* file = read_file(options.files[0], &bytes);
    open_program(&options, &program, file, bytes);
    if (macrame_linux_open(&device, &options.names, program.memory_bytes) != 0)
        fail("cannot open the accelerator", device.error);
    check_registers(&options, &program, &device);
#ifdef NVDLA_SYSCTL_S_RESET_0
    device.machine.write(device.machine.user, NVDLA_SYSCTL_S_RESET_0, 1);
#endif
    run_all(&options, &program, &device);
    if (device.outside != 0) fail(options.files[0], "used a register that the device has not");
    macrame_linux_close(&device);
    free(file);
    return 0;
}
