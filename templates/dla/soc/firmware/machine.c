/* Programs of a dla accelerator, each with a block of memory of its own. */
#include "machine.h"

#include "board.h"
#include "dla_params.h"

static struct macrame_program programs[NETWORK_PROGRAMS];
static struct macrame_machine machines[NETWORK_PROGRAMS];

/* `room` is the address of what is free. */
static int load(struct macrame_program* program, struct macrame_machine* machine,
                const struct machine_file* file, uintptr_t* room) {
    const int error = macrame_open(program, file->bytes, file->size);
    if (error != MACRAME_OK) return error;
    program->hardware = DLA_IDENTITY;
    *room += (program->alignment - *room % program->alignment) % program->alignment;
    if ((uintptr_t)block_end < *room || (uintptr_t)block_end - *room < program->memory_bytes)
        return MACRAME_SMALL_MEMORY;
    machine->read = board_read;
    machine->write = board_write;
    machine->wait = board_wait;
    machine->sync = board_sync;
    machine->memory = (uint8_t*)*room;
    machine->device_address = *room;
    machine->memory_bytes = program->memory_bytes;
    *room += (uintptr_t)program->memory_bytes;
    return macrame_prepare(program, machine);
}

int machine_begin(struct network* network) {
    uintptr_t room = (uintptr_t)block_begin;
    uint32_t i;
    for (i = 0; i < NETWORK_PROGRAMS; ++i) {
        const int error = load(&programs[i], &machines[i], &network_files[i], &room);
        if (error != MACRAME_OK) return error;
    }
    network->programs = programs;
    network->machines = machines;
    return MACRAME_OK;
}

const char* machine_error(int error) { return macrame_error_text(error); }
