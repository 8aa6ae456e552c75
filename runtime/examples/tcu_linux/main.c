/* Runs a network on a tensor unit from user space on Linux: the boards with a processor of
 * `macrame fpga`, whose include/ folder has the sizes of the unit and the address of its DMA.
 *
 *   cc -O2 -I PROJECT/include -o run runtime/examples/tcu_linux/main.c runtime/tcu/[a-z]*.c
 *   ./run uio0 udmabuf0 net.tmodel inputs.bin outputs.bin
 *   ./run mem  udmabuf0 net.tmodel inputs.bin outputs.bin
 *
 * Registers of the DMA are map 0 of a UIO device, whose interrupt is that of the DMA, or are in
 * /dev/mem. Those of the unit are map 1, where there is one, or in /dev/mem: then the unit must be
 * that of PROJECT, and errors of its bus end the run. Memory is a buffer of the u-dma-buf driver:
 * DRAM0, DRAM1 and the program lie in it one behind the other, so it must be as large as DRAM0 and
 * what the network needs, and begin at a multiple of 64 KiB below 4 GiB. inputs.bin has any number
 * of inputs, vectors in DRAM coding back to back, as `macrame compile --input` writes and `macrame
 * simulate` takes them. Exit status 1 and one line if something is wrong. */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../tcu/macrame_axi_dma.h"
#include "../../tcu/macrame_tcu.h"
#include "architecture_params.h"
#include "board.h"
#include "tcu_params.h"

struct device {
    struct macrame_axi_dma dma;
    volatile uint32_t* registers;
    volatile uint32_t* core; /* registers of the unit; null: not mapped */
    int uio;                 /* -1: no interrupts */
};

static void fail(const char* what, const char* why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void check(int error, const struct macrame_tcu_network* network, const char* what) {
    const struct macrame_tcu_problem* problem = &network->problem;
    if (error == MACRAME_TCU_OK) return;
    fprintf(stderr, "%s: %s: %s", what, macrame_tcu_error_text(error),
            problem->what ? problem->what : "?");
    if (problem->place != 0) fprintf(stderr, " at %" PRIu64, problem->place);
    if (problem->found != 0 || problem->wanted != 0)
        fprintf(stderr, ": found %" PRIu64 ", want %" PRIu64, problem->found, problem->wanted);
    fputc('\n', stderr);
    exit(1);
}

/* ------------------------------------------------------------------ the machine */

static uint32_t read_register(void* user, uint32_t address) {
    return ((const struct device*)user)->registers[address / 4];
}

static void write_register(void* user, uint32_t address, uint32_t value) {
    ((struct device*)user)->registers[address / 4] = value;
}

static uint32_t read_core(void* user, uint32_t address) {
    return ((const struct device*)user)->core[address / 4];
}

static void write_core(void* user, uint32_t address, uint32_t value) {
    ((struct device*)user)->core[address / 4] = value;
}

static int drain_stream(void* user) { return macrame_axi_dma_drain(&((struct device*)user)->dma); }

/* The kernel masks the interrupt when it comes; a 1 written lets it through again. By then the DMA
 * has taken the last one back. */
static int send_stream(void* user, uint64_t offset, uint64_t bytes) {
    struct device* device = user;
    const uint32_t unmask = 1;
    __sync_synchronize();
    if (macrame_axi_dma_send(&device->dma, offset, bytes) != 0) return 1;
    if (device->uio < 0) return 0;
    return write(device->uio, &unmask, sizeof unmask) == (ssize_t)sizeof unmask ? 0 : 1;
}

/* Until the DMA has brought the whole program, at most 1 ms; what is left then is short. */
static int wait_a_little(void* user) {
    const struct device* device = user;
    struct pollfd event;
    uint32_t count;
    event.fd = device->uio;
    event.events = POLLIN;
    if (device->uio < 0 || poll(&event, 1, 1) <= 0) return 0;
    return read(device->uio, &count, sizeof count) == (ssize_t)sizeof count ? 0 : 1;
}

/* The buffer is mapped uncached: order is all that matters. */
static void sync_memory(void* user, const struct macrame_tcu_block* block, uint64_t offset,
                        uint64_t bytes, int to_device) {
    (void)user;
    (void)block;
    (void)offset;
    (void)bytes;
    (void)to_device;
    __sync_synchronize();
}

static void* map(const char* path, uint64_t offset, uint64_t bytes, int* file) {
    void* at;
    *file = open(path, O_RDWR | O_SYNC);
    if (*file < 0) fail(path, "cannot be opened");
    at = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED, *file, (off_t)offset);
    if (at == MAP_FAILED) fail(path, "cannot be mapped");
    return at;
}

/* A number out of /sys/class/u-dma-buf/BUFFER/. */
static uint64_t buffer_number(const char* buffer, const char* what, const char* format) {
    char path[256];
    uint64_t value = 0;
    FILE* file;
    snprintf(path, sizeof path, "/sys/class/u-dma-buf/%s/%s", buffer, what);
    file = fopen(path, "r");
    if (!file || fscanf(file, format, &value) != 1) fail(path, "want a number");
    fclose(file);
    return value;
}

/* Takes bytes from the start of what is left. */
static void take(struct macrame_tcu_block* left, struct macrame_tcu_block* out, uint64_t bytes) {
    bytes = (bytes + 0xffff) & ~(uint64_t)0xffff;
    if (bytes > left->bytes) fail("buffer", "too small for DRAM0, DRAM1 and the program");
    out->memory = left->memory;
    out->device_address = left->device_address;
    out->bytes = bytes;
    left->memory += bytes;
    left->device_address += bytes;
    left->bytes -= bytes;
}

/* The second map of a UIO device begins at the second page of its file. */
static volatile uint32_t* map_core(const char* name, const char* path) {
    char map1[256];
    int file;
    if (strcmp(name, "mem") == 0) return map(path, BOARD_CORE_BASE, BOARD_CORE_BYTES, &file);
    snprintf(map1, sizeof map1, "/sys/class/uio/%s/maps/map1", name);
    if (access(map1, F_OK) != 0) return NULL;
    return map(path, (uint64_t)sysconf(_SC_PAGESIZE), 4096, &file);
}

static void open_machine(struct macrame_tcu_machine* machine, struct device* device, char** names,
                         const struct macrame_tcu_network* network) {
    static const struct macrame_tcu_architecture unit = MACRAME_TCU_TENSIL_ARCHITECTURE;
    struct macrame_tcu_block left;
    char path[256];
    int file;
    memset(machine, 0, sizeof *machine);
    memset(device, 0, sizeof *device);
    device->uio = -1;
    snprintf(path, sizeof path, "/dev/%s", names[0]);
    device->registers =
        map(path, strcmp(names[0], "mem") == 0 ? BOARD_DMA_BASE : 0, BOARD_DMA_BYTES, &file);
    if (strncmp(names[0], "uio", 3) == 0) device->uio = file;
    device->core = map_core(names[0], path);
    snprintf(path, sizeof path, "/dev/%s", names[1]);
    left.bytes = buffer_number(names[1], "size", "%" SCNu64);
    left.device_address = buffer_number(names[1], "phys_addr", "%" SCNx64);
    left.memory = map(path, 0, left.bytes, &file);
    take(&left, &machine->dram0, network->architecture.dram0_depth * network->vector_bytes);
    take(&left, &machine->dram1, network->dram1_vectors * network->vector_bytes);
    machine->stream = left;
    machine->architecture = unit;
    machine->beat_bytes = BOARD_BEAT_BYTES;
    machine->user = device;
    machine->send = send_stream;
    machine->wait = wait_a_little;
    machine->sync = sync_memory;
    if (device->core) {
        machine->read_register = read_core;
        machine->write_register = write_core;
        machine->drain = drain_stream;
        machine->identity = TCU_IDENTITY;
    }
    device->dma.user = device;
    device->dma.read = read_register;
    device->dma.write = write_register;
    device->dma.device_address = left.device_address;
    device->dma.beat_bytes = BOARD_BEAT_BYTES;
    device->dma.length_bits = BOARD_DMA_LENGTH_BITS;
    if (macrame_axi_dma_start(&device->dma) != 0) fail(names[0], "the DMA does not answer");
}

/* ------------------------------------------------------------------ files */

static void* read_file(const char* path, size_t* bytes) {
    char* data = NULL;
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

/* A file that the .tmodel names: in its folder. */
static void* read_beside(const char* model, const struct macrame_tcu_text* name, size_t* bytes) {
    const char* slash = strrchr(model, '/');
    const int folder = slash ? (int)(slash - model) + 1 : 0;
    char path[1024];
    if (memchr(name->text, '\\', name->bytes)) fail(model, "want file names without escapes");
    if (snprintf(path, sizeof path, "%.*s%.*s", folder, model, (int)name->bytes, name->text) >=
        (int)sizeof path)
        fail(model, "want shorter file names");
    return read_file(path, bytes);
}

/* Vectors of all inputs or outputs. */
typedef int (*get_tensor)(const struct macrame_tcu_network*, uint32_t, struct macrame_tcu_tensor*);

static uint64_t vectors_of(const struct macrame_tcu_network* network, uint32_t count,
                           get_tensor get) {
    struct macrame_tcu_tensor tensor;
    uint64_t sum = 0;
    uint32_t i;
    for (i = 0; i < count; ++i) {
        if (get(network, i, &tensor) == MACRAME_TCU_OK) sum += tensor.vectors;
    }
    return sum;
}

static void run_once(struct macrame_tcu_network* network, const struct macrame_tcu_machine* machine,
                     const uint8_t* in, uint8_t* out) {
    struct macrame_tcu_tensor tensor;
    uint32_t i;
    for (i = 0; i < network->input_count; ++i) {
        macrame_tcu_get_input(network, i, &tensor);
        check(macrame_tcu_write_vectors(network, machine, i, in, tensor.vectors), network, "input");
        in += tensor.vectors * network->vector_bytes;
    }
    check(macrame_tcu_run(network, machine), network, "run");
    for (i = 0; i < network->output_count; ++i) {
        macrame_tcu_get_output(network, i, &tensor);
        check(macrame_tcu_read_vectors(network, machine, i, out, tensor.vectors), network,
              "output");
        out += tensor.vectors * network->vector_bytes;
    }
}

int main(int argc, char** argv) {
    struct device device;
    struct macrame_tcu_machine machine;
    struct macrame_tcu_network network;
    size_t model_bytes, program_bytes, constant_bytes, input_bytes, in_one, out_one, at;
    char *model, *program, *constants;
    uint8_t *inputs, *output;
    FILE* file;
    int error;
    if (argc != 6) fail(argv[0], "want UIO-DEVICE|mem BUFFER MODEL INPUTS OUTPUTS");
    model = read_file(argv[3], &model_bytes);
    check(macrame_tcu_open(&network, model, model_bytes), &network, argv[3]);
    program = read_beside(argv[3], &network.program_name, &program_bytes);
    constants = read_beside(argv[3], &network.constants_name, &constant_bytes);
    check(macrame_tcu_attach(&network, program, program_bytes, constants, constant_bytes), &network,
          argv[3]);
    inputs = read_file(argv[4], &input_bytes);
    in_one = (size_t)vectors_of(&network, network.input_count, macrame_tcu_get_input) *
             network.vector_bytes;
    out_one = (size_t)vectors_of(&network, network.output_count, macrame_tcu_get_output) *
              network.vector_bytes;
    if (in_one == 0 || input_bytes == 0 || input_bytes % in_one != 0)
        fail(argv[4], "want whole inputs");
    open_machine(&machine, &device, argv + 1, &network);
    error = macrame_tcu_load(&network, &machine);
    if (error == MACRAME_TCU_BUS_ERROR) { /* of an earlier run */
        check(macrame_tcu_reset(&network, &machine), &network, argv[1]);
        error = macrame_tcu_load(&network, &machine);
    }
    check(error, &network, argv[3]);
    output = malloc(out_one + 1);
    file = fopen(argv[5], "wb");
    if (!output || !file) fail(argv[5], "cannot be written");
    for (at = 0; at < input_bytes; at += in_one) {
        run_once(&network, &machine, inputs + at, output);
        if (fwrite(output, 1, out_one, file) != out_one) fail(argv[5], "cannot be written");
    }
    if (fclose(file) != 0) fail(argv[5], "cannot be written");
    free(output);
    free(inputs);
    free(constants);
    free(program);
    free(model);
    return 0;
}
