/* A network on a unit: constants and program, runs, tensors. */
#include "macrame_tcu_internal.h"

enum {
    MOST_EXTRA = 8,  /* instructions beside a program */
    MOST_BEAT = 128, /* bytes */
    OWNER_BYTES = 8  /* at the end of the stream block */
};
#define BANK_UNIT ((uint64_t)1 << 16)
#define BANK_SPACE ((uint64_t)1 << 32)

static void copy(uint8_t* to, const uint8_t* from, uint64_t bytes) {
    size_t i;
    for (i = 0; i < (size_t)bytes; ++i)
        to[i] = from[i];
}

static void sync_bytes(const struct macrame_tcu_machine* machine,
                       const struct macrame_tcu_block* block, uint64_t offset, uint64_t bytes,
                       int to_device) {
    if (machine->sync && bytes != 0) machine->sync(machine->user, block, offset, bytes, to_device);
}

/* ------------------------------------------------------------------ checks */

/* A number that a network asks for, and what there is. */
static int check_least(struct macrame_tcu_network* network, int error, const char* what,
                       uint64_t found, uint64_t wanted) {
    return found >= wanted ? MACRAME_TCU_OK
                           : macrame_tcu_fail(&network->problem, error, what, 0, found, wanted);
}

/* Sizes of an architecture that programs depend on. */
enum { EQUAL_SIZES = 12, SIZES = 19 };
static const char* const kSizes[SIZES] = {
    /* These must be equal ... */
    "data_type", "array_size", "lut_tables", "lut_depth", "bytes of an instruction",
    "bytes of operand 0", "bytes of operand 1", "bits of operand 0 addresses",
    "bits of operand 1 addresses", "bits of operand 0 strides", "bits of operand 1 strides",
    "bits of a SIMD register",
    /* ... of these the unit may have more. */
    "dram0_depth", "dram1_depth", "local_depth", "accumulator_depth", "simd_registers_depth",
    "stride0_depth", "stride1_depth"};

static void list_sizes(const struct macrame_tcu_architecture* a, uint64_t* out) {
    struct macrame_tcu_layout layout;
    macrame_tcu_layout_of(a, &layout);
    *out++ = a->data_type;
    *out++ = a->array_size;
    *out++ = a->lut_tables;
    *out++ = a->lut_depth;
    *out++ = layout.bytes;
    *out++ = layout.operand0_bytes;
    *out++ = layout.operand1_bytes;
    *out++ = layout.address0_bits;
    *out++ = layout.address1_bits;
    *out++ = layout.stride0_bits;
    *out++ = layout.stride1_bits;
    *out++ = layout.register_bits;
    *out++ = a->dram0_depth;
    *out++ = a->dram1_depth;
    *out++ = a->local_depth;
    *out++ = a->accumulator_depth;
    *out++ = a->simd_registers_depth;
    *out++ = a->stride0_depth;
    *out++ = a->stride1_depth;
}

/* Depths first: they say most about what is wrong. */
static int check_architecture(struct macrame_tcu_network* network,
                              const struct macrame_tcu_architecture* unit) {
    uint64_t found[SIZES], wanted[SIZES];
    int i;
    list_sizes(&network->architecture, found);
    list_sizes(unit, wanted);
    for (i = SIZES - 1; i >= 0; --i) {
        if (i < EQUAL_SIZES ? found[i] != wanted[i] : found[i] > wanted[i])
            return macrame_tcu_fail(&network->problem, MACRAME_TCU_OTHER_ARCHITECTURE, kSizes[i], 0,
                                    found[i], wanted[i]);
    }
    return MACRAME_TCU_OK;
}

static int check_block(struct macrame_tcu_network* network, const struct macrame_tcu_block* block,
                       const char* what, uint64_t need, uint64_t alignment, uint64_t space) {
    struct macrame_tcu_problem* const problem = &network->problem;
    if (!block->memory) return macrame_tcu_fail(problem, MACRAME_TCU_BAD_ARGUMENT, what, 0, 0, 0);
    if (block->bytes < need || (uint64_t)(size_t)need != need)
        return macrame_tcu_fail(problem, MACRAME_TCU_SMALL_MEMORY, what, 0, block->bytes, need);
    if (block->device_address % alignment != 0 || block->device_address > space ||
        need > space - block->device_address)
        return macrame_tcu_fail(problem, MACRAME_TCU_BAD_ADDRESS, what, 0, block->device_address,
                                alignment);
    return MACRAME_TCU_OK;
}

static int overlap(const struct macrame_tcu_block* a, const struct macrame_tcu_block* b) {
    return a->device_address < b->device_address ? b->device_address - a->device_address < a->bytes
                                                 : a->device_address - b->device_address < b->bytes;
}

/* What is longest in the stream block. */
static uint64_t stream_room(const struct macrame_tcu_network* network,
                            const struct macrame_tcu_machine* machine) {
    return network->program_bytes +
           (uint64_t)network->layout.bytes * ((uint64_t)MOST_EXTRA + machine->beat_bytes) +
           OWNER_BYTES;
}

static int check_blocks(struct macrame_tcu_network* network,
                        const struct macrame_tcu_machine* machine) {
    const struct macrame_tcu_architecture* a = &network->architecture;
    const uint64_t unit = network->vector_bytes;
    const uint64_t vectors0 = machine->at_rest ? network->dram0_vectors : a->dram0_depth;
    const int apart = machine->separate_memories != 0;
    int error =
        check_block(network, &machine->dram0, "dram0", vectors0 * unit, BANK_UNIT, BANK_SPACE);
    if (error == MACRAME_TCU_OK)
        error = check_block(network, &machine->dram1, "dram1", network->dram1_vectors * unit,
                            BANK_UNIT, BANK_SPACE);
    if (error == MACRAME_TCU_OK)
        error = check_block(network, &machine->stream, "stream", stream_room(network, machine),
                            machine->beat_bytes, ~(uint64_t)0);
    if (error != MACRAME_TCU_OK) return error;
    if (!apart && overlap(&machine->dram0, &machine->dram1))
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_OVERLAP, "dram0, dram1", 0,
                                machine->dram0.device_address, machine->dram1.device_address);
    if (!apart && overlap(&machine->dram0, &machine->stream))
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_OVERLAP, "dram0, stream", 0,
                                machine->dram0.device_address, machine->stream.device_address);
    if (!apart && overlap(&machine->dram1, &machine->stream))
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_OVERLAP, "dram1, stream", 0,
                                machine->dram1.device_address, machine->stream.device_address);
    if (machine->at_rest) return MACRAME_TCU_OK;
    error = check_least(network, MACRAME_TCU_PROBE_IN_USE, "free vectors of DRAM0",
                        a->dram0_depth - network->dram0_vectors, 2);
    if (error == MACRAME_TCU_OK && network->constants_to_local)
        error =
            check_least(network, MACRAME_TCU_PROBE_IN_USE, "free vectors of local memory",
                        a->local_depth - network->constants_base - network->constants_vectors, 1);
    return error;
}

static int check_machine(struct macrame_tcu_network* network,
                         const struct macrame_tcu_machine* machine) {
    int error;
    if (!machine || !machine->send || machine->beat_bytes == 0 ||
        (machine->beat_bytes & (machine->beat_bytes - 1)) != 0 || machine->beat_bytes > MOST_BEAT)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_ARGUMENT,
                                "machine, its send or beat_bytes", 0, 0, 0);
    error = check_architecture(network, &machine->architecture);
    if (error == MACRAME_TCU_OK) error = check_blocks(network, machine);
    return error == MACRAME_TCU_OK ? macrame_tcu_check_unit(network, machine) : error;
}

/* ------------------------------------------------------------------ runs */

/* The network whose program the stream block holds, or null: another one may have been loaded in
 * the meantime, or the network on another machine. The unit does not see these bytes. */
static void set_owner(const struct macrame_tcu_machine* machine,
                      const struct macrame_tcu_network* owner) {
    const uint64_t value = (uint64_t)(uintptr_t)owner;
    uint8_t* const to = machine->stream.memory + (size_t)(machine->stream.bytes - OWNER_BYTES);
    int i;
    for (i = 0; i < OWNER_BYTES; ++i)
        to[i] = (uint8_t)(value >> 8 * i);
}

static int is_loaded(const struct macrame_tcu_network* network,
                     const struct macrame_tcu_machine* machine) {
    const uint64_t value = (uint64_t)(uintptr_t)network;
    const uint8_t* from;
    int i;
    if (network->stream_bytes == 0 || !machine->stream.memory ||
        machine->stream.bytes < network->stream_bytes + OWNER_BYTES)
        return 0;
    from = machine->stream.memory + (size_t)(machine->stream.bytes - OWNER_BYTES);
    for (i = 0; i < OWNER_BYTES; ++i)
        if (from[i] != (uint8_t)(value >> 8 * i)) return 0;
    return 1;
}

static uint8_t* probe_vector(const struct macrame_tcu_network* network,
                             const struct macrame_tcu_machine* machine, uint64_t from_end) {
    const uint64_t at = (network->architecture.dram0_depth - from_end) * network->vector_bytes;
    return machine->dram0.memory + (size_t)at;
}

static void sync_probe(const struct macrame_tcu_network* network,
                       const struct macrame_tcu_machine* machine, uint64_t vectors, int to_device) {
    const uint64_t unit = network->vector_bytes;
    sync_bytes(machine, &machine->dram0, (network->architecture.dram0_depth - 2) * unit,
               vectors * unit, to_device);
}

/* Two patterns that differ: the unit makes them equal. */
static void set_probe(const struct macrame_tcu_network* network,
                      const struct macrame_tcu_machine* machine) {
    uint8_t* const from = probe_vector(network, machine, 1);
    uint8_t* const to = probe_vector(network, machine, 2);
    uint32_t i;
    for (i = 0; i < network->vector_bytes; ++i) {
        from[i] = 0xff;
        to[i] = 0;
    }
    sync_probe(network, machine, 2, 1);
}

/* FP18BP10 keeps 18 of 32 bits: what the unit copied has zeros above. */
static int probe_came(const struct macrame_tcu_network* network,
                      const struct macrame_tcu_machine* machine) {
    const int narrow = network->architecture.data_type == MACRAME_TENSIL_DATA_TYPE_FP18BP10;
    const volatile uint8_t* const to = probe_vector(network, machine, 2);
    uint32_t i;
    sync_probe(network, machine, 1, 0);
    for (i = 0; i < network->vector_bytes; ++i) {
        const uint8_t wanted = !narrow || i % 4 < 2 ? 0xff : i % 4 == 2 ? 3 : 0;
        if (to[i] != wanted) return 0;
    }
    return 1;
}

/* Sends what the stream block holds. */
static int send(struct macrame_tcu_network* network, const struct macrame_tcu_machine* machine,
                uint64_t bytes) {
    network->polls = 0;
    if (!machine->at_rest) set_probe(network, machine);
    if (machine->send(machine->user, 0, bytes) == 0) return MACRAME_TCU_OK;
    return macrame_tcu_fail(&network->problem, MACRAME_TCU_STREAM_FAILED, "send", 0, 0, 0);
}

/* Ends a stream and sends it. */
static int send_all(struct macrame_tcu_network* network, const struct macrame_tcu_machine* machine,
                    struct macrame_tcu_writer* writer) {
    int error;
    if (!machine->at_rest) macrame_tcu_probe(writer, &network->architecture);
    macrame_tcu_pad(writer, machine->beat_bytes);
    sync_bytes(machine, &machine->stream, 0, writer->bytes, 1);
    error = send(network, machine, writer->bytes);
    return error == MACRAME_TCU_OK ? macrame_tcu_finish(network, machine) : error;
}

/* In the order of Tensil's drivers: where the banks are, then the rest. */
static int set_registers(struct macrame_tcu_network* network,
                         const struct macrame_tcu_machine* machine) {
    struct macrame_tcu_writer writer = {&network->layout, machine->stream.memory, 0};
    /* The timeout flag raises the pin, too: with interrupts as late as can be. */
    const uint32_t late = machine->interrupts ? 0xffff : 0;
    const uint32_t timeout = machine->timeout != 0 ? machine->timeout : late;
    macrame_tcu_configure(&writer, MACRAME_TCU_DRAM0_OFFSET,
                          machine->dram0.device_address / BANK_UNIT);
    macrame_tcu_configure(&writer, MACRAME_TCU_DRAM1_OFFSET,
                          machine->dram1.device_address / BANK_UNIT);
    if (timeout != 0) macrame_tcu_configure(&writer, MACRAME_TCU_TIMEOUT_CYCLES, timeout);
    if (machine->sample_interval != 0)
        macrame_tcu_configure(&writer, MACRAME_TCU_SAMPLE_INTERVAL, machine->sample_interval);
    return send_all(network, machine, &writer);
}

static int load_local(struct macrame_tcu_network* network,
                      const struct macrame_tcu_machine* machine) {
    struct macrame_tcu_writer writer = {&network->layout, machine->stream.memory, 0};
    macrame_tcu_move(&writer, MACRAME_TCU_DRAM1_TO_LOCAL, network->constants_base,
                     network->constants_base, network->constants_vectors);
    return send_all(network, machine, &writer);
}

/* The stream of a run stays in its block. With interrupts the tracepoint is where the program
 * counter comes when all but the padding was taken; setting the counter takes the pin back. */
static void place_program(struct macrame_tcu_network* network,
                          const struct macrame_tcu_machine* machine) {
    struct macrame_tcu_writer writer = {&network->layout, machine->stream.memory, 0};
    const uint64_t count =
        network->program_bytes / network->layout.bytes + (machine->at_rest ? 0 : 2);
    if (machine->interrupts && count <= macrame_tcu_largest_value(&network->layout)) {
        macrame_tcu_configure(&writer, MACRAME_TCU_TRACEPOINT, count);
        macrame_tcu_configure(&writer, MACRAME_TCU_PROGRAM_COUNTER, 0);
    }
    copy(writer.to + (size_t)writer.bytes, network->program, network->program_bytes);
    writer.bytes += network->program_bytes;
    if (!machine->at_rest) macrame_tcu_probe(&writer, &network->architecture);
    macrame_tcu_pad(&writer, machine->beat_bytes);
    sync_bytes(machine, &machine->stream, 0, writer.bytes, 1);
    network->stream_bytes = writer.bytes;
    set_owner(machine, network);
}

int macrame_tcu_load(struct macrame_tcu_network* network,
                     const struct macrame_tcu_machine* machine) {
    uint64_t at, bytes;
    int error;
    if (!network) return MACRAME_TCU_BAD_ARGUMENT;
    network->stream_bytes = 0;
    if (!network->program)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_ARGUMENT, "program", 0, 0, 0);
    error = check_machine(network, machine);
    if (error != MACRAME_TCU_OK) return error;
    set_owner(machine, 0);
    at = network->constants_base * network->vector_bytes;
    bytes = network->constants_vectors * network->vector_bytes;
    copy(machine->dram1.memory + (size_t)at, network->constants, bytes);
    sync_bytes(machine, &machine->dram1, at, bytes, 1);
    error = set_registers(network, machine);
    if (error == MACRAME_TCU_OK && network->constants_to_local && bytes != 0)
        error = load_local(network, machine);
    if (error == MACRAME_TCU_OK) place_program(network, machine);
    return error;
}

int macrame_tcu_switch(struct macrame_tcu_network* network,
                       const struct macrame_tcu_machine* machine,
                       struct macrame_tcu_network* loaded) {
    int error;
    if (!network || !loaded) return MACRAME_TCU_BAD_ARGUMENT;
    if (!network->program || !machine || !is_loaded(loaded, machine))
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_ARGUMENT,
                                "program, machine, load", 0, 0, 0);
    if (network->constants != loaded->constants ||
        network->constants_base != loaded->constants_base ||
        network->constants_vectors != loaded->constants_vectors || network->constants_to_local ||
        loaded->constants_to_local)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_ARGUMENT,
                                "constants: want those of the network that is loaded, in DRAM1", 0,
                                0, 0);
    error = check_machine(network, machine);
    if (error != MACRAME_TCU_OK) return error;
    loaded->stream_bytes = 0;
    place_program(network, machine);
    return MACRAME_TCU_OK;
}

int macrame_tcu_begin(struct macrame_tcu_network* network,
                      const struct macrame_tcu_machine* machine) {
    if (!network) return MACRAME_TCU_BAD_ARGUMENT;
    if (!machine || !is_loaded(network, machine))
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_ARGUMENT, "machine, load", 0, 0,
                                0);
    return send(network, machine, network->stream_bytes);
}

uint32_t macrame_tcu_most_polls(const struct macrame_tcu_machine* machine) {
    return machine->max_polls != 0 ? machine->max_polls : 100000000u;
}

int macrame_tcu_poll(struct macrame_tcu_network* network,
                     const struct macrame_tcu_machine* machine) {
    uint32_t most;
    int rest, state;
    if (!network || !machine) return MACRAME_TCU_BAD_ARGUMENT;
    most = macrame_tcu_most_polls(machine);
    rest = machine->at_rest ? machine->at_rest(machine->user) : probe_came(network, machine);
    /* A write that fails at the very end may be told behind the probe: idle is behind both. */
    state = macrame_tcu_look(network, machine);
    if (state == MACRAME_TCU_BUS_ERROR) return state;
    if (rest > 0 && state == MACRAME_TCU_OK) return MACRAME_TCU_OK;
    if (rest < 0)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_CANCELLED, "at_rest", 0, 0, 0);
    if (++network->polls < most) return MACRAME_TCU_BUSY;
    return macrame_tcu_fail(&network->problem, MACRAME_TCU_TIMEOUT, "looks", 0, most, 0);
}

int macrame_tcu_finish(struct macrame_tcu_network* network,
                       const struct macrame_tcu_machine* machine) {
    for (;;) {
        const int state = macrame_tcu_poll(network, machine);
        if (state != MACRAME_TCU_BUSY) return state;
        if (machine->wait && machine->wait(machine->user) != 0)
            return macrame_tcu_fail(&network->problem, MACRAME_TCU_CANCELLED, "wait", 0, 0, 0);
    }
}

int macrame_tcu_run(struct macrame_tcu_network* network,
                    const struct macrame_tcu_machine* machine) {
    const int error = macrame_tcu_begin(network, machine);
    return error == MACRAME_TCU_OK ? macrame_tcu_finish(network, machine) : error;
}

const char* macrame_tcu_error_text(int error) {
    static const char* const texts[] = {
        "no error",
        "the unit is still at work",
        "bad argument: a null pointer, a number that does not exist, or a step left out",
        "the .tmodel is no JSON; wanted there",
        "the .tmodel has something missing, unknown, twice or impossible",
        "the .tprog is not as long as the .tmodel says",
        "the .tdata is not as long as the .tmodel says",
        "an instruction that does not exist, leaves its bank or moves it",
        "the network was made for another architecture than that of the unit",
        "a block of memory is too small for the network",
        "a block of memory is not aligned or out of reach",
        "blocks of memory overlap",
        "the network leaves no room for the probe that tells when it is complete",
        "the length of the data is not that of the tensor",
        "the program does not come to its end",
        "the instruction stream cannot be sent",
        "the run was cancelled",
        "the unit is of another architecture than the headers in use",
        "memory answered the unit with an error",
        "the soft reset does not come to its end"};
    const int count = (int)(sizeof texts / sizeof texts[0]);
    return error >= 0 && error < count ? texts[error] : "unknown error";
}
