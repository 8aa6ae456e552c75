/* Programs of a systolic array, each with a block of memory of its own. */
#include "machine.h"

#include "board.h"

enum { ALIGNMENT = 4096 };

uint64_t machine_cycles;
static struct macrame_machine machines[NETWORK_PROGRAMS];

int machine_begin(struct network* network) {
    uintptr_t room = (uintptr_t)block_begin;
    uint32_t i;
    for (i = 0; i < NETWORK_PROGRAMS; ++i) {
        struct macrame_machine* const machine = &machines[i];
        const struct machine_file* const file = &network_files[i];
        int error;
        room = (room + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if ((uintptr_t)block_end < room || (uintptr_t)block_end - room < file->size)
            return MACRAME_SMALL_MEMORY;
        machine->read = board_read;
        machine->write = board_write;
        machine->wait = board_wait;
        machine->sync = board_sync;
        machine->memory = (uint8_t*)room;
        machine->device_address = room;
        machine->memory_bytes = file->size;
        room += file->size;
        error = macrame_systolic_load(&network_programs[i], machine, file->bytes, file->size);
        if (error != MACRAME_OK) return error;
    }
    network->machines = machines;
    return MACRAME_OK;
}

/* Takes the place of macrame_systolic_run for the network (machine.mk). */
int __real_macrame_systolic_run(const struct macrame_systolic_program* program,
                                const struct macrame_machine* machine);
int __wrap_macrame_systolic_run(const struct macrame_systolic_program* program,
                                const struct macrame_machine* machine);
int __wrap_macrame_systolic_run(const struct macrame_systolic_program* program,
                                const struct macrame_machine* machine) {
    const uint64_t begin = board_cycles();
    const int error = __real_macrame_systolic_run(program, machine);
    machine_cycles += board_cycles() - begin;
    return error;
}

const char* machine_error(int error) { return macrame_error_text(error); }
