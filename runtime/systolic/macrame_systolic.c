/* Programs of a systolic array. */
#include "macrame_systolic.h"

/* Loops that copy stay loops: no memcpy or memset is asked from whoever links this. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

/* Registers, and bits of STATUS: doc/registers.md of a design. */
enum {
    PROGRAM_ADDRESS = 0x00,
    PROGRAM_COUNT = 0x04,
    STATUS = 0x10,
    GO = 0x60,
    RESET = 0x64,
    IDENTITY = 0x70
};
enum {
    BUSY = 1 << 0,
    DONE = 1 << 1,
    REFUSED = 1 << 2,
    MEMORY_ERRORS = 7 << 3, /* of fetch, LOAD and STORE */
    ILLEGAL = 1 << 6,
    STOPPED = 1 << 7,
    EVENTS = 0xfe
};

/* Of an instruction: its bytes, where the address of LOAD and STORE is, and the opcode. */
enum { WORD_BYTES = 16, ADDRESS_AT = 11, OPCODE_AT = 15, LOAD = 8, STORE = 9 };

enum { BLOCK_ALIGNMENT = 4096, TIMEOUT_MS = 10000, MAX_POLLS = 100000000 };

static int check(const struct macrame_systolic_program* program,
                 const struct macrame_machine* machine) {
    uint64_t end;
    if (!program || !machine || !machine->memory) return MACRAME_BAD_ARGUMENT;
    if (machine->memory_bytes < program->bytes) return MACRAME_SMALL_MEMORY;
    if (machine->device_address % BLOCK_ALIGNMENT != 0) return MACRAME_BAD_ALIGNMENT;
    end = (uint64_t)1 << program->address_bits;
    return machine->device_address < end && end - machine->device_address >= program->bytes
               ? MACRAME_OK
               : MACRAME_BAD_ADDRESS;
}

static void sync_bytes(const struct macrame_machine* machine, uint64_t offset, uint64_t bytes,
                       int to_device) {
    if (machine->sync && bytes != 0) machine->sync(machine->user, offset, bytes, to_device);
}

/* Addresses of the compiler count from 0. */
static void move_address(uint8_t* word, uint32_t by) {
    const uint32_t opcode = (uint32_t)word[OPCODE_AT] >> 4;
    uint32_t i, address = 0;
    if (opcode != LOAD && opcode != STORE) return;
    for (i = 0; i < 4; ++i)
        address |= (uint32_t)word[ADDRESS_AT + i] << 8 * i;
    address += by;
    for (i = 0; i < 4; ++i)
        word[ADDRESS_AT + i] = (uint8_t)(address >> 8 * i);
}

int macrame_systolic_load(const struct macrame_systolic_program* program,
                          const struct macrame_machine* machine, const void* image,
                          uint64_t image_bytes) {
    const int error = check(program, machine);
    uint32_t i, n;
    if (error != MACRAME_OK) return error;
    if (!image) return MACRAME_BAD_ARGUMENT;
    if (image_bytes < program->bytes || (program->begin == 0 && image_bytes != program->bytes) ||
        program->begin > program->bytes)
        return MACRAME_BAD_SIZE;
    for (i = program->begin; i < program->bytes; ++i)
        machine->memory[i] = ((const uint8_t*)image)[i];
    for (n = 0; n < program->start_count; ++n) {
        const struct macrame_systolic_start* const start = &program->starts[n];
        if (start->offset < program->begin || start->offset > program->bytes ||
            start->count > (program->bytes - start->offset) / WORD_BYTES)
            return MACRAME_BAD_COMMAND;
        for (i = 0; i < start->count; ++i)
            move_address(machine->memory + start->offset + (size_t)i * WORD_BYTES,
                         (uint32_t)machine->device_address);
    }
    sync_bytes(machine, program->begin, program->bytes - program->begin, 1);
    return MACRAME_OK;
}

/* One of the two directions is null. */
static int transfer(const struct macrame_machine* machine,
                    const struct macrame_systolic_tensor* tensor, const uint8_t* from, uint8_t* to,
                    uint64_t bytes) {
    uint32_t y, x, c;
    uint64_t first = ~(uint64_t)0, end = 0;
    if (!from && !to) return MACRAME_BAD_ARGUMENT;
    if (bytes != (uint64_t)tensor->height * tensor->width * tensor->channels)
        return MACRAME_WRONG_LENGTH;
    /* What is moved is known before the bytes are, for caches. */
    for (c = 0; c < tensor->channels; ++c) {
        const uint32_t channel = tensor->first + c;
        const uint64_t at = tensor->offset +
                            (uint64_t)(channel / tensor->group) * tensor->plane_stride +
                            channel % tensor->group;
        const uint64_t last = at + (uint64_t)(tensor->height - 1) * tensor->line_stride +
                              (uint64_t)(tensor->width - 1) * tensor->pixel_stride + 1;
        if (at < first) first = at;
        if (last > end) end = last;
    }
    if (end > machine->memory_bytes) return MACRAME_BAD_TENSOR;
    if (to) sync_bytes(machine, first, end - first, 0);
    for (y = 0; y < tensor->height; ++y) {
        for (x = 0; x < tensor->width; ++x) {
            for (c = 0; c < tensor->channels; ++c) {
                const uint32_t channel = tensor->first + c;
                uint8_t* const at = machine->memory + tensor->offset +
                                    (size_t)y * tensor->line_stride +
                                    (size_t)x * tensor->pixel_stride +
                                    (size_t)(channel / tensor->group) * tensor->plane_stride +
                                    channel % tensor->group;
                if (from)
                    *at = *from++;
                else
                    *to++ = *at;
            }
        }
    }
    if (from) sync_bytes(machine, first, end - first, 1);
    return MACRAME_OK;
}

int macrame_systolic_write_input(const struct macrame_systolic_program* program,
                                 const struct macrame_machine* machine, uint32_t number,
                                 const void* data, uint64_t bytes) {
    const int error = check(program, machine);
    if (error != MACRAME_OK) return error;
    if (number >= program->input_count || !data) return MACRAME_BAD_ARGUMENT;
    return transfer(machine, &program->inputs[number], (const uint8_t*)data, (uint8_t*)0, bytes);
}

int macrame_systolic_read_output(const struct macrame_systolic_program* program,
                                 const struct macrame_machine* machine, uint32_t number, void* data,
                                 uint64_t bytes) {
    const int error = check(program, machine);
    if (error != MACRAME_OK) return error;
    if (number >= program->output_count || !data) return MACRAME_BAD_ARGUMENT;
    return transfer(machine, &program->outputs[number], (const uint8_t*)0, (uint8_t*)data, bytes);
}

/* Until one of the events is there, which are cleared then. */
static int wait_for(const struct macrame_machine* machine, uint32_t events, uint32_t* found) {
    uint32_t turns;
    int late = 0; /* the last wait ended without an interrupt */
    for (turns = 0; turns < MAX_POLLS; ++turns) {
        int came = 1;
        *found = machine->read(machine->user, STATUS);
        if ((*found & events) != 0) {
            machine->write(machine->user, STATUS, *found & EVENTS);
            return MACRAME_OK;
        }
        if (late) return MACRAME_TIMEOUT;
        if (machine->wait) came = machine->wait(machine->user, TIMEOUT_MS);
        if (came < 0) return MACRAME_CANCELLED;
        late = came == 0;
    }
    return machine->wait ? MACRAME_STUCK_INTERRUPT : MACRAME_TIMEOUT;
}

static int run_one(const struct macrame_machine* machine,
                   const struct macrame_systolic_start* start) {
    uint32_t status;
    int error;
    machine->write(machine->user, STATUS, EVENTS); /* what an earlier run left behind */
    machine->write(machine->user, PROGRAM_ADDRESS,
                   (uint32_t)machine->device_address + start->offset);
    machine->write(machine->user, PROGRAM_COUNT, start->count);
    machine->write(machine->user, GO, 1);
    error = wait_for(machine, EVENTS, &status);
    if (error != MACRAME_OK) return error;
    if ((status & MEMORY_ERRORS) != 0) return MACRAME_MEMORY_ERROR;
    if ((status & ILLEGAL) != 0) return MACRAME_NO_INSTRUCTION;
    return (status & DONE) != 0 ? MACRAME_OK : MACRAME_BUSY; /* refused, or stopped by others */
}

int macrame_systolic_run(const struct macrame_systolic_program* program,
                         const struct macrame_machine* machine) {
    int error = check(program, machine);
    uint32_t i;
    if (error != MACRAME_OK) return error;
    if (!machine->read || !machine->write) return MACRAME_BAD_ARGUMENT;
    if (program->identity != 0 && machine->read(machine->user, IDENTITY) != program->identity)
        return MACRAME_OTHER_HARDWARE;
    if ((machine->read(machine->user, STATUS) & BUSY) != 0) return MACRAME_BUSY;
    for (i = 0; i < program->start_count && error == MACRAME_OK; ++i)
        error = run_one(machine, &program->starts[i]);
    return error;
}

int macrame_systolic_reset(const struct macrame_machine* machine) {
    uint32_t status;
    if (!machine || !machine->read || !machine->write) return MACRAME_BAD_ARGUMENT;
    machine->write(machine->user, STATUS, EVENTS);
    machine->write(machine->user, RESET, 1);
    return wait_for(machine, STOPPED, &status);
}
