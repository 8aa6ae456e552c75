/* The block of memory and the run of commands. */
#include "macrame_internal.h"

static void copy(uint8_t* to, const uint8_t* from, size_t bytes) {
    size_t i;
    for (i = 0; i < bytes; ++i)
        to[i] = from[i];
}

static void fill(uint8_t* to, const struct macrame_tensor* tensor, uint32_t elements) {
    uint32_t i, b;
    for (i = 0; i < elements; ++i) {
        for (b = 0; b < tensor->element_bytes; ++b)
            *to++ = (uint8_t)((uint32_t)tensor->filler >> 8 * b);
    }
}

/* That a processor can address the block at all is part of it. */
static int check_machine(const struct macrame_machine* machine, uint64_t need) {
    if (!machine || (!machine->memory && need != 0)) return MACRAME_BAD_ARGUMENT;
    if (machine->memory_bytes < need || (uint64_t)(size_t)need != need) return MACRAME_SMALL_MEMORY;
    return MACRAME_OK;
}

/* Is every byte of the block at an address that the accelerator has? All have 32 bits. */
static int check_address(const struct macrame_program* program, uint64_t address) {
    const uint64_t last = address + (program->memory_bytes ? program->memory_bytes - 1 : 0);
    if (last < address) return MACRAME_BAD_ADDRESS;
    if (program->address_bits == 0) return last >> 32 ? MACRAME_UNKNOWN_ADDRESS : MACRAME_OK;
    return program->address_bits >= 64 || last >> program->address_bits == 0 ? MACRAME_OK
                                                                             : MACRAME_BAD_ADDRESS;
}

static int check_pair(const struct macrame_program* program,
                      const struct macrame_machine* machine) {
    int error;
    if (!program || !program->file) return MACRAME_BAD_ARGUMENT;
    error = check_machine(machine, program->memory_bytes);
    if (error != MACRAME_OK) return error;
    if ((machine->device_address & (program->alignment - 1)) != 0) return MACRAME_BAD_ALIGNMENT;
    error = check_address(program, machine->device_address);
    return error == MACRAME_OK ? macrame_check_identity(program, program->hardware) : error;
}

static void sync_bytes(const struct macrame_machine* machine, uint64_t offset, uint64_t bytes,
                       int to_device) {
    if (machine->sync && bytes != 0) machine->sync(machine->user, offset, bytes, to_device);
}

int macrame_prepare(const struct macrame_program* program, const struct macrame_machine* machine) {
    const int error = check_pair(program, machine);
    uint32_t i;
    if (error != MACRAME_OK) return error;
    for (i = 0; i < program->segment_count; ++i) {
        const uint8_t* at = program->segments + (size_t)i * SEGMENT_BYTES;
        const uint64_t offset = get64(at), bytes = get64(at + 8);
        copy(machine->memory + (size_t)offset, program->file + (size_t)get64(at + 16),
             (size_t)bytes);
        sync_bytes(machine, offset, bytes, 1);
    }
    return MACRAME_OK;
}

int macrame_check_tensor(const struct macrame_machine* machine, const struct macrame_tensor* tensor,
                         struct macrame_tensor* out) {
    int error;
    if (!machine || !machine->memory || !tensor) return MACRAME_BAD_ARGUMENT;
    copy((uint8_t*)out, (const uint8_t*)tensor, sizeof *out); /* = may call memcpy */
    error = macrame_complete_tensor(out, machine->memory_bytes);
    return error == MACRAME_OK ? check_machine(machine, out->offset + out->span) : error;
}

/* What may be moved: the tensor with its sizes set. */
static int check_transfer(const struct macrame_machine* machine,
                          const struct macrame_tensor* tensor, const void* data, uint64_t bytes,
                          struct macrame_tensor* out) {
    const int error = macrame_check_tensor(machine, tensor, out);
    if (error != MACRAME_OK) return error;
    if (!data) return MACRAME_BAD_ARGUMENT;
    return out->bytes == bytes ? MACRAME_OK : MACRAME_WRONG_LENGTH;
}

/* Walks over groups in the order of packed data. One of the two directions is null. */
static void transfer(const struct macrame_tensor* tensor, uint8_t* block, const uint8_t* from,
                     uint8_t* to) {
    uint32_t y, x, left;
    for (y = 0; y < tensor->height; ++y) {
        for (x = 0; x < tensor->width; ++x) {
            size_t at = (size_t)(tensor->offset + (uint64_t)y * tensor->line_stride +
                                 (uint64_t)x * tensor->pixel_stride);
            for (left = tensor->channels; left != 0; at += tensor->surface_stride) {
                const uint32_t count = left < tensor->group ? left : tensor->group;
                const size_t bytes = (size_t)count * tensor->element_bytes;
                if (from) {
                    copy(block + at, from, bytes);
                    fill(block + at + bytes, tensor, tensor->group - count);
                    from += bytes;
                } else {
                    copy(to, block + at, bytes);
                    to += bytes;
                }
                left -= count;
            }
        }
    }
}

int macrame_write_tensor(const struct macrame_machine* machine, const struct macrame_tensor* tensor,
                         const void* data, uint64_t bytes) {
    struct macrame_tensor whole;
    const int error = check_transfer(machine, tensor, data, bytes, &whole);
    if (error != MACRAME_OK) return error;
    transfer(&whole, machine->memory, (const uint8_t*)data, (uint8_t*)0);
    sync_bytes(machine, whole.offset, whole.span, 1);
    return MACRAME_OK;
}

int macrame_read_tensor(const struct macrame_machine* machine, const struct macrame_tensor* tensor,
                        void* data, uint64_t bytes) {
    struct macrame_tensor whole;
    const int error = check_transfer(machine, tensor, data, bytes, &whole);
    if (error != MACRAME_OK) return error;
    sync_bytes(machine, whole.offset, whole.span, 0);
    transfer(&whole, machine->memory, (const uint8_t*)0, (uint8_t*)data);
    return MACRAME_OK;
}

int macrame_write_input(const struct macrame_program* program,
                        const struct macrame_machine* machine, uint32_t number, const void* data,
                        uint64_t bytes) {
    struct macrame_tensor tensor;
    int error = check_pair(program, machine);
    if (error == MACRAME_OK) error = macrame_get_input(program, number, &tensor);
    return error == MACRAME_OK ? macrame_write_tensor(machine, &tensor, data, bytes) : error;
}

int macrame_read_output(const struct macrame_program* program,
                        const struct macrame_machine* machine, uint32_t number, void* data,
                        uint64_t bytes) {
    struct macrame_tensor tensor;
    int error = check_pair(program, machine);
    if (error == MACRAME_OK) error = macrame_get_output(program, number, &tensor);
    return error == MACRAME_OK ? macrame_read_tensor(machine, &tensor, data, bytes) : error;
}

/* ------------------------------------------------------------------ the run */

int macrame_begin(struct macrame_runner* run, const struct macrame_program* program,
                  const struct macrame_machine* machine) {
    const int error = check_pair(program, machine);
    if (!run) return MACRAME_BAD_ARGUMENT;
    run->program = (const struct macrame_program*)0;
    if (error != MACRAME_OK) return error;
    if (!machine->read || !machine->write) return MACRAME_BAD_ARGUMENT;
    if (program->networks && !program->name) return MACRAME_NO_NETWORK;
    run->program = program;
    run->machine = machine;
    run->timeout_ms = 10000;
    run->max_polls = 100000000;
    run->host = 0;
    run->layer = 0;
    run->user = 0;
    run->next = 0;
    run->current = ~(uint32_t)0;
    run->causes = 0;
    run->polls = 0;
    run->started = 0;
    run->swapped = 0;
    run->group = run->group_bits = 1; /* no address of words */
    run->hardware = MACRAME_UNKNOWN_HARDWARE;
    return MACRAME_OK;
}

/* Reads which interrupts came, and clears them. */
static uint32_t take_causes(const struct macrame_runner* run) {
    const struct macrame_machine* machine = run->machine;
    const uint32_t address = run->program->interrupt_status;
    const uint32_t causes = machine->read(machine->user, address);
    if (causes != 0) machine->write(machine->user, address, causes);
    return causes;
}

static int do_poll(struct macrame_runner* run, const struct macrame_command* command) {
    const struct macrame_machine* machine = run->machine;
    if ((machine->read(machine->user, command->address) & command->aux) == command->value) {
        run->polls = 0;
        return MACRAME_OK;
    }
    if (run->polls >= run->max_polls) return MACRAME_POLL_TIMEOUT;
    ++run->polls;
    return MACRAME_BUSY;
}

static int do_unit(struct macrame_runner* run, const struct macrame_command* command) {
    const struct macrame_machine* machine = run->machine;
    if (machine->read(machine->user, command->aux) != 0) return MACRAME_UNIT_BUSY;
    if ((machine->read(machine->user, command->address) >> 16 & 1) == 0) return MACRAME_OK;
    run->group_bits =
        run->swapped == 0 ? ~(uint32_t)0 : run->group_bits & ~(run->group ^ command->address);
    run->group = command->address;
    run->swapped |= (uint32_t)1 << run->next;
    return MACRAME_OK;
}

/* What is written to a register: the other group of a unit that is swapped. */
static uint32_t written(const struct macrame_runner* run, const struct macrame_command* command) {
    struct macrame_command unit;
    uint32_t i;
    for (i = 0; i < MOST_UNITS && run->swapped >> i != 0; ++i) {
        if ((run->swapped >> i & 1) == 0) continue;
        macrame_get_command(run->program, i, &unit);
        if (unit.address == command->address) return command->value ^ 1;
    }
    return command->value;
}

/* Causes of a wait: of units that are swapped those of the other group. */
static uint32_t waited(const struct macrame_runner* run, uint32_t causes) {
    struct macrame_command unit;
    uint32_t i, both;
    for (i = 0; i < MOST_UNITS && run->swapped >> i != 0; ++i) {
        if ((run->swapped >> i & 1) == 0) continue;
        macrame_get_command(run->program, i, &unit);
        both = causes & unit.value;
        causes = (causes & ~unit.value) | ((both << 1 | both >> 1) & unit.value);
    }
    return causes;
}

static int do_wait(struct macrame_runner* run, uint32_t wanted) {
    if ((run->causes & wanted) != wanted) run->causes |= take_causes(run);
    if ((run->causes & wanted) != wanted) return MACRAME_BUSY;
    run->causes &= ~wanted;
    return MACRAME_OK;
}

static int do_command(struct macrame_runner* run, const struct macrame_command* command) {
    const struct macrame_machine* machine = run->machine;
    const uint64_t address =
        machine->device_address + ((uint64_t)command->aux << 32 | command->value);
    switch (command->code) {
        case MACRAME_WRITE:
            machine->write(machine->user, command->address, written(run, command));
            break;
        case MACRAME_WRITE_LOW:
            machine->write(machine->user, command->address, (uint32_t)address);
            break;
        case MACRAME_WRITE_HIGH:
            machine->write(machine->user, command->address, (uint32_t)(address >> 32));
            break;
        case MACRAME_POLL:
            return do_poll(run, command);
        case MACRAME_WAIT:
            return do_wait(run, waited(run, command->value));
        case MACRAME_UNIT:
            return do_unit(run, command);
        case MACRAME_BEGIN_LAYER:
            run->current = command->value;
            if (run->layer) run->layer(run->user, command->value);
            break;
        default:
            if (!run->host) return MACRAME_NO_HOST;
            if (run->host(run->user, machine, command->value) != 0) return MACRAME_HOST_FAILED;
    }
    return MACRAME_OK;
}

int macrame_check_hardware(const struct macrame_program* program,
                           const struct macrame_machine* machine) {
    uint32_t identity;
    if (!program || !program->file || !machine || !machine->read) return MACRAME_BAD_ARGUMENT;
    if (program->identity == 0) return MACRAME_UNKNOWN_HARDWARE;
    identity = program->hardware;
    if (identity == 0 && program->identity_register != 0)
        identity = machine->read(machine->user, program->identity_register);
    return identity == 0 ? MACRAME_UNKNOWN_HARDWARE : macrame_check_identity(program, identity);
}

int macrame_step(struct macrame_runner* run) {
    struct macrame_command command;
    if (!run || !run->program) return MACRAME_BAD_ARGUMENT;
    if (!run->started) {
        run->hardware = macrame_check_hardware(run->program, run->machine);
        if (run->hardware == MACRAME_OTHER_HARDWARE) return MACRAME_OTHER_HARDWARE;
    }
    /* What an earlier run left behind is not for this one. */
    if (!run->started && run->program->uses_interrupts) take_causes(run);
    run->started = 1;
    for (store_row(run); run->next < run->program->command_count; store_row(run)) {
        int error;
        get_record(run->program->commands + (size_t)run->next * COMMAND_BYTES, &command);
        error = do_command(run, &command);
        if (error != MACRAME_OK) return error;
        ++run->next;
    }
    return MACRAME_OK;
}

int macrame_finish(struct macrame_runner* run) {
    uint32_t next, causes = 0, turns = 0;
    int late = 0; /* the last wait ended without an interrupt */
    int error, came;
    if (!run || !run->program) return MACRAME_BAD_ARGUMENT;
    for (;;) {
        const struct macrame_machine* machine = run->machine;
        next = run->next;
        error = macrame_step(run);
        if (error != MACRAME_BUSY) return error;
        if (run->next != next) {
            turns = 0;
            late = 0;
        }
        if (run->polls != 0) {
            if (machine->wait && machine->wait(machine->user, 0) < 0) return MACRAME_CANCELLED;
            continue;
        }
        /* Causes may come although the line does not work: that is slow, but no error. */
        if (late && run->causes == causes) return MACRAME_TIMEOUT;
        if (turns++ >= run->max_polls)
            return machine->wait ? MACRAME_STUCK_INTERRUPT : MACRAME_TIMEOUT;
        causes = run->causes;
        came = machine->wait ? machine->wait(machine->user, run->timeout_ms) : 1;
        if (came < 0) return MACRAME_CANCELLED;
        late = came == 0;
    }
}

int macrame_run(const struct macrame_program* program, const struct macrame_machine* machine) {
    struct macrame_runner run;
    const int error = macrame_begin(&run, program, machine);
    return error == MACRAME_OK ? macrame_finish(&run) : error;
}

/* Else it begins in the first register group of all units: behind a reset. */
static int has_units(const struct macrame_program* program) {
    struct macrame_command first;
    return macrame_get_command(program, 0, &first) == MACRAME_OK && first.code == MACRAME_UNIT;
}

int macrame_run_batch(const struct macrame_program* program, const struct macrame_machine* machine,
                      uint32_t count, const void* const* inputs, void* const* outputs,
                      void (*reset)(void* user)) {
    struct macrame_tensor tensor;
    uint32_t n, i;
    int error = check_pair(program, machine);
    if (error != MACRAME_OK) return error;
    if (program->networks && !program->name) return MACRAME_NO_NETWORK;
    if (!reset && !has_units(program)) return MACRAME_BAD_ARGUMENT;
    if ((!inputs && program->input_count != 0) || (!outputs && program->output_count != 0))
        return MACRAME_BAD_ARGUMENT;
    for (n = 0; n < count; ++n) {
        for (i = 0; i < program->input_count && error == MACRAME_OK; ++i) {
            error = macrame_get_input(program, i, &tensor);
            if (error == MACRAME_OK && !inputs[i]) error = MACRAME_BAD_ARGUMENT;
            if (error == MACRAME_OK)
                error = macrame_write_tensor(machine, &tensor,
                                             (const uint8_t*)inputs[i] + (size_t)(n * tensor.bytes),
                                             tensor.bytes);
        }
        if (error == MACRAME_OK) {
            if (reset) reset(machine->user);
            error = macrame_run(program, machine);
        }
        for (i = 0; i < program->output_count && error == MACRAME_OK; ++i) {
            error = macrame_get_output(program, i, &tensor);
            if (error == MACRAME_OK && !outputs[i]) error = MACRAME_BAD_ARGUMENT;
            if (error == MACRAME_OK)
                error = macrame_read_tensor(machine, &tensor,
                                            (uint8_t*)outputs[i] + (size_t)(n * tensor.bytes),
                                            tensor.bytes);
        }
        if (error != MACRAME_OK) return error;
    }
    return MACRAME_OK;
}

/* ------------------------------------------------------------------ parameters */

/* Of a line "name=value": bytes of the name, of the value; where the next line is. */
struct line {
    const char *name, *value, *next;
    size_t name_bytes, value_bytes;
};

/* 0 at the end of the lines. */
static int read_line(const char* at, struct line* out) {
    out->name = at;
    while (*at && *at != '=' && *at != '\n')
        ++at;
    out->name_bytes = (size_t)(at - out->name);
    if (*at == '=') ++at;
    out->value = at;
    while (*at && *at != '\n')
        ++at;
    out->value_bytes = (size_t)(at - out->value);
    out->next = *at ? at + 1 : at;
    return *out->name != 0;
}

static int is_same(const char* a, size_t a_bytes, const char* b, size_t b_bytes) {
    size_t i;
    if (a_bytes != b_bytes) return 0;
    for (i = 0; i < a_bytes; ++i)
        if (a[i] != b[i]) return 0;
    return 1;
}

/* The line of this name; one with the value "none" if there is no such line. */
static void find_line(const char* lines, const struct line* like, struct line* out) {
    for (; read_line(lines, out); lines = out->next)
        if (is_same(like->name, like->name_bytes, out->name, out->name_bytes)) return;
    out->value = "none";
    out->value_bytes = 4;
}

static void append(char** to, size_t* room, const char* text, size_t bytes) {
    size_t i;
    for (i = 0; i<bytes&& * room> 1; ++i, --*room)
        *(*to)++ = text[i];
    if (*room != 0) **to = 0;
}

int macrame_check_identity(const struct macrame_program* program, uint32_t identity) {
    if (!program || !program->file) return MACRAME_BAD_ARGUMENT;
    return program->identity == 0 || identity == 0 || program->identity == identity
               ? MACRAME_OK
               : MACRAME_OTHER_HARDWARE;
}

int macrame_difference(const struct macrame_program* program, const char* parameters, char* text,
                       size_t bytes) {
    const char* lists[2];
    struct line line, other;
    int i;
    if (!program || !program->file || !parameters || (!text && bytes != 0)) return 0;
    append(&text, &bytes, "", 0);
    lists[0] = parameters;
    lists[1] = program->parameters;
    for (i = 0; i < 2; ++i) {
        const char* at;
        for (at = lists[i]; read_line(at, &line); at = line.next) {
            const struct line* found = i == 0 ? &other : &line;
            const struct line* wanted = i == 0 ? &line : &other;
            find_line(lists[1 - i], &line, &other);
            if (is_same(line.value, line.value_bytes, other.value, other.value_bytes)) continue;
            append(&text, &bytes, line.name, line.name_bytes);
            append(&text, &bytes, " = ", 3);
            append(&text, &bytes, found->value, found->value_bytes);
            append(&text, &bytes, ": want ", 7);
            append(&text, &bytes, wanted->value, wanted->value_bytes);
            return 1;
        }
    }
    return 0;
}

/* ------------------------------------------------------------------ words */

const char* macrame_error_text(int error) {
    static const char* const texts[] = {
        "no error",
        "the accelerator is still at work",
        "bad argument: a null pointer, or the number of something that does not exist",
        "not a program file, or one of another version",
        "the program file is longer or shorter than its header says",
        "the header of the program file breaks the rules of the format",
        "the checksum of the program file is wrong: it was changed",
        "a name of the program file is outside of its strings",
        "a command of the program file breaks the rules of the format",
        "contents of memory in the program file are outside of the file or of the memory",
        "a tensor breaks the rules of the format or is outside of the memory",
        "a layer of the program file breaks the rules of the format",
        "the block of memory is smaller than the program needs",
        "the block of memory is not aligned as the program needs it",
        "the length of the data is not that of the tensor",
        "no interrupt within the time limit",
        "a register did not take the value that is waited for",
        "the interrupt line is high, but what is waited for does not come",
        "the program needs an operator of the host, and there is no function for these",
        "an operator of the host failed",
        "the run was cancelled",
        "the program was compiled for other hardware",
        "the block of memory is not below the end of the accelerator's addresses",
        "the program file is of an old version that does not tell how long the accelerator's "
        "addresses are: want the block of memory below 4 GiB, or the network compiled again",
        "neither the program nor a register tell whether this is the hardware "
        "that the program was compiled for",
        "memory answered the accelerator with an error",
        "the accelerator read a word that is no instruction: was something else written to the "
        "block of memory?",
        "no network of this name is in the program file, or none of several is selected: want "
        "macrame_select with a name of macrame_network_name",
        "a unit of the accelerator is not idle: it works, or waits for something, since before the "
        "run; reset the accelerator"};
    const int count = (int)(sizeof texts / sizeof texts[0]);
    return error >= 0 && error < count ? texts[error] : "unknown error";
}
