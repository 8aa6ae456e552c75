/* Programs of a network in the RAM of the system: a source per family. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdint.h>

#include "network.h"

/* The files of the programs, in the order of network.S. */
struct machine_file {
    const uint8_t* bytes;
    uint32_t size;
};
extern const struct machine_file network_files[];
/* One for each input. */
extern const void* const network_inputs[];

/* Loads the programs and gives them to the network. 0, or an error of the runtime. */
int machine_begin(struct network* network);
const char* machine_error(int error);
/* In runs of programs, up to now; without inputs and outputs. */
extern uint64_t machine_cycles;

#endif
