/* Runs a compiled network on a device:
 *     program_test CONFIGURATION PROGRAM [ADDRESS]
 * with inputs of 0. Prints what the runtime says of it, "no error" and whether the hardware is
 * known, and ends with that code. The caller compares nothing. */
#include <stdio.h>
#include <stdlib.h>

#include "macrame.h"
#include "macrame_device.h"

struct board {
    struct macrame_device* device;
    struct macrame_machine machine;
};

static uint32_t board_read(void* user, uint32_t address) {
    return macrame_device_read(((struct board*)user)->device, address);
}

static void board_write(void* user, uint32_t address, uint32_t value) {
    macrame_device_write(((struct board*)user)->device, address, value);
}

static int board_wait(void* user, uint32_t timeout_ms) {
    return macrame_device_wait(((struct board*)user)->device, (uint64_t)timeout_ms * 1000);
}

static void board_sync(void* user, uint64_t offset, uint64_t bytes, int to_device) {
    struct board* board = (struct board*)user;
    uint8_t* const here = board->machine.memory + offset;
    const uint64_t there = board->machine.device_address + offset;
    if (to_device)
        macrame_device_memory_write(board->device, MACRAME_PORT_PRIMARY, there, here, bytes);
    else
        macrame_device_memory_read(board->device, MACRAME_PORT_PRIMARY, there, here, bytes);
}

static int run(struct macrame_program* program, struct board* board) {
    struct macrame_tensor tensor;
    struct macrame_runner runner;
    uint8_t* zeros;
    int error = macrame_prepare(program, &board->machine);
    if (error == MACRAME_OK) error = macrame_get_input(program, 0, &tensor);
    if (error != MACRAME_OK) return error;
    zeros = (uint8_t*)calloc(1, tensor.bytes);
    error = macrame_write_input(program, &board->machine, 0, zeros, tensor.bytes);
    free(zeros);
    if (error == MACRAME_OK) error = macrame_begin(&runner, program, &board->machine);
    runner.timeout_ms = 100;
    runner.max_polls = 10000;
    if (error == MACRAME_OK) error = macrame_finish(&runner);
    if (error == MACRAME_OK)
        printf("hardware %s: ", runner.hardware == MACRAME_OK ? "known" : "not known");
    return error;
}

int main(int argc, char** argv) {
    static uint8_t file[1 << 20];
    struct macrame_program program;
    struct board board = {NULL, {0}};
    FILE* stream;
    size_t bytes;
    int error;
    if (argc < 3 || !(stream = fopen(argv[2], "rb"))) return 100;
    bytes = fread(file, 1, sizeof file, stream);
    fclose(stream);
    error = macrame_open(&program, file, bytes);
    board.device = macrame_device_create(argv[1], MACRAME_DEVICE_MODEL);
    if (board.device == NULL) return 101;
    if (error == MACRAME_OK) {
        board.machine.user = &board;
        board.machine.read = board_read;
        board.machine.write = board_write;
        board.machine.wait = board_wait;
        board.machine.sync = board_sync;
        board.machine.memory_bytes = program.memory_bytes;
        board.machine.memory = (uint8_t*)calloc(1, (size_t)program.memory_bytes);
        board.machine.device_address = argc > 3 ? strtoull(argv[3], NULL, 0) : 0x80000000u;
        error = run(&program, &board);
    }
    puts(macrame_error_text(error));
    free(board.machine.memory);
    macrame_device_destroy(board.device);
    return error;
}
