/* Programs of a tensor unit: they share its two banks and the block for instructions. */
#include "machine.h"

#include "architecture_params.h"
#include "board.h"
#include "tcu_params.h"

enum { FILES = 3, BANK_ALIGNMENT = 65536, BEAT_BYTES = ${memory_bits / 8} };

uint64_t machine_cycles;
static struct macrame_tcu_network programs[NETWORK_PROGRAMS];
static struct macrame_tcu_machine unit = {.architecture = MACRAME_TCU_TENSIL_ARCHITECTURE};

static int send(void* user, uint64_t offset, uint64_t bytes) {
    (void)user;
    while (accelerator_stream_left_read() != 0) {
    }
    accelerator_stream_address_write((uint32_t)(unit.stream.device_address + offset));
    accelerator_stream_beats_write((uint32_t)bytes / BEAT_BYTES);
    return 0;
}

/* The unit itself tells when it is idle, too. */
static int at_rest(void* user) {
    (void)user;
    return accelerator_stream_left_read() == 0;
}

static int drain(void* user) {
    while (!at_rest(user)) {
    }
    return 0;
}

static int wait(void* user) {
    (void)board_wait(user, 1);
    return 0;
}

static void sync(void* user, const struct macrame_tcu_block* block, uint64_t offset, uint64_t bytes,
                 int to_device) {
    (void)block;
    board_sync(user, offset, bytes, to_device);
}

static int open(struct macrame_tcu_network* program, const struct machine_file* files) {
    const int error = macrame_tcu_open(program, (const char*)files[0].bytes, files[0].size);
    if (error != MACRAME_TCU_OK) return error;
    return macrame_tcu_attach(program, files[1].bytes, files[1].size, files[2].bytes,
                              files[2].size);
}

/* From *room on, which moves behind it. */
static int place(struct macrame_tcu_block* block, uint64_t bytes, uint64_t* room) {
    const uint64_t end = (uintptr_t)block_end;
    *room = (*room + BANK_ALIGNMENT - 1) / BANK_ALIGNMENT * BANK_ALIGNMENT;
    if (*room > end || end - *room < bytes) return MACRAME_TCU_SMALL_MEMORY;
    block->memory = (uint8_t*)(uintptr_t)*room;
    block->device_address = *room;
    block->bytes = bytes;
    *room += bytes;
    return MACRAME_TCU_OK;
}

/* The banks are as large as the largest program wants; instructions have the rest. */
static int place_all(void) {
    uint64_t room = (uintptr_t)block_begin, bytes0 = 0, bytes1 = 0;
    uint32_t i;
    int error;
    for (i = 0; i < NETWORK_PROGRAMS; ++i) {
        const uint64_t used0 = programs[i].dram0_vectors * programs[i].vector_bytes;
        const uint64_t used1 = programs[i].dram1_vectors * programs[i].vector_bytes;
        if (used0 > bytes0) bytes0 = used0;
        if (used1 > bytes1) bytes1 = used1;
    }
    error = place(&unit.dram0, bytes0, &room);
    if (error == MACRAME_TCU_OK) error = place(&unit.dram1, bytes1, &room);
    if (error == MACRAME_TCU_OK) error = place(&unit.stream, 0, &room);
    if (error == MACRAME_TCU_OK) unit.stream.bytes = (uintptr_t)block_end - room;
    return error;
}

int machine_begin(struct network* network) {
    uint32_t i;
    int error = MACRAME_TCU_OK;
    for (i = 0; i < NETWORK_PROGRAMS && error == MACRAME_TCU_OK; ++i)
        error = open(&programs[i], &network_files[i * FILES]);
    if (error == MACRAME_TCU_OK) error = place_all();
    if (error != MACRAME_TCU_OK) return error;
    unit.architecture.lut_tables = TCU_LUT_TABLES;
    unit.architecture.lut_depth = TCU_LUT_DEPTH;
    unit.beat_bytes = BEAT_BYTES;
    unit.interrupts = 1;
    unit.send = send;
    unit.at_rest = at_rest;
    unit.drain = drain;
    unit.wait = wait;
    unit.sync = sync;
    unit.read_register = board_read;
    unit.write_register = board_write;
    unit.identity = TCU_IDENTITY;
    network->programs = programs;
    network->machine = &unit;
    /* Of several net_run loads each. */
    return NETWORK_PROGRAMS == 1 ? macrame_tcu_load(&programs[0], &unit) : MACRAME_TCU_OK;
}

/* Takes the place of macrame_tcu_run for the network (machine.mk). */
int __real_macrame_tcu_run(struct macrame_tcu_network* program,
                           const struct macrame_tcu_machine* machine);
int __wrap_macrame_tcu_run(struct macrame_tcu_network* program,
                           const struct macrame_tcu_machine* machine);
int __wrap_macrame_tcu_run(struct macrame_tcu_network* program,
                           const struct macrame_tcu_machine* machine) {
    const uint64_t begin = board_cycles();
    const int error = __real_macrame_tcu_run(program, machine);
    machine_cycles += board_cycles() - begin;
    return error;
}

const char* machine_error(int error) { return macrame_tcu_error_text(error); }
