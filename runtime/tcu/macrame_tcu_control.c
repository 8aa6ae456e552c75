/* The registers of the unit: identity, bus errors, soft reset. */
#include "macrame_tcu_internal.h"

static uint32_t read_register(const struct macrame_tcu_machine* machine, uint32_t address) {
    return machine->read_register(machine->user, address);
}

/* Tells the first error answer that the unit got. */
static int fail_bus_error(struct macrame_tcu_network* network,
                          const struct macrame_tcu_machine* machine) {
    static const char* const causes[] = {"read of DRAM0, SLVERR", "write of DRAM0, SLVERR",
                                         "read of DRAM1, SLVERR", "write of DRAM1, SLVERR",
                                         "read of DRAM0, DECERR", "write of DRAM0, DECERR",
                                         "read of DRAM1, DECERR", "write of DRAM1, DECERR"};
    const uint32_t cause = read_register(machine, MACRAME_TCU_BUS_ERROR_CAUSE) & 7u;
    return macrame_tcu_fail(&network->problem, MACRAME_TCU_BUS_ERROR, causes[cause],
                            read_register(machine, MACRAME_TCU_BUS_ERROR_ADDRESS), 0, 0);
}

int macrame_tcu_check_unit(struct macrame_tcu_network* network,
                           const struct macrame_tcu_machine* machine) {
    uint32_t found;
    if (!machine->read_register) return MACRAME_TCU_OK;
    found = read_register(machine, MACRAME_TCU_IDENTITY);
    if (machine->identity != 0 && found != machine->identity)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_OTHER_HARDWARE, "identity", 0, found,
                                machine->identity);
    if ((read_register(machine, MACRAME_TCU_STATUS) & MACRAME_TCU_STATUS_BUS_ERROR) != 0)
        return fail_bus_error(network, machine);
    return MACRAME_TCU_OK;
}

int macrame_tcu_look(struct macrame_tcu_network* network,
                     const struct macrame_tcu_machine* machine) {
    uint32_t status;
    if (!machine->read_register) return MACRAME_TCU_OK;
    status = read_register(machine, MACRAME_TCU_STATUS);
    if ((status & MACRAME_TCU_STATUS_BUS_ERROR) != 0) return fail_bus_error(network, machine);
    return (status & MACRAME_TCU_STATUS_IDLE) != 0 ? MACRAME_TCU_OK : MACRAME_TCU_BUSY;
}

/* Waits until STATUS.IN_RESET is `wanted`. */
static int wait_for_reset(struct macrame_tcu_network* network,
                          const struct macrame_tcu_machine* machine, uint32_t wanted) {
    uint32_t left = macrame_tcu_most_polls(machine);
    while ((read_register(machine, MACRAME_TCU_STATUS) & MACRAME_TCU_STATUS_IN_RESET) != wanted) {
        if (--left == 0)
            return macrame_tcu_fail(&network->problem, MACRAME_TCU_RESET_FAILED, "STATUS.IN_RESET",
                                    0, 0, 0);
        if (machine->wait && machine->wait(machine->user) != 0)
            return macrame_tcu_fail(&network->problem, MACRAME_TCU_CANCELLED, "wait", 0, 0, 0);
    }
    return MACRAME_TCU_OK;
}

int macrame_tcu_reset(struct macrame_tcu_network* network,
                      const struct macrame_tcu_machine* machine) {
    int error;
    if (!network) return MACRAME_TCU_BAD_ARGUMENT;
    network->stream_bytes = 0;
    if (!machine || !machine->read_register || !machine->write_register)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_ARGUMENT,
                                "machine, its registers", 0, 0, 0);
    machine->write_register(machine->user, MACRAME_TCU_RESET, 1);
    error = wait_for_reset(network, machine, MACRAME_TCU_STATUS_IN_RESET);
    if (error == MACRAME_TCU_OK && machine->drain && machine->drain(machine->user) != 0)
        error = macrame_tcu_fail(&network->problem, MACRAME_TCU_STREAM_FAILED, "drain", 0, 0, 0);
    /* Not while instructions of before may come. */
    if (error != MACRAME_TCU_OK) return error;
    machine->write_register(machine->user, MACRAME_TCU_RESET, 0);
    return wait_for_reset(network, machine, 0);
}
