/* Programs of a dla accelerator, each with a block of memory of its own. */
#include "machine.h"

#include "board.h"
#include "dla_params.h"

uint64_t machine_cycles;
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
    machine->registers = (volatile uint32_t*)ACCELERATOR_BASE;
    machine->register_bytes = ACCELERATOR_SIZE;
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

/* Takes the place of macrame_finish for the network (machine.mk). */
int __real_macrame_finish(struct macrame_runner* run);
int __wrap_macrame_finish(struct macrame_runner* run);
int __wrap_macrame_finish(struct macrame_runner* run) {
    const uint64_t begin = board_cycles();
    const int error = __real_macrame_finish(run);
    machine_cycles += board_cycles() - begin;
    return error;
}

const char* machine_error(int error) { return macrame_error_text(error); }
