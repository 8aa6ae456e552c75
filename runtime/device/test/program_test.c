/* Runs a compiled network on a device:
 *     program_test CONFIGURATION PROGRAM [ADDRESS [rtl]]
 * with an input of 0, of 99, and of 0 again, without a reset. Prints what the runtime says of it,
 * "no error" and whether the hardware is known, and ends with that code; "other output" in front if
 * the third output is not the first one, or the second one is. The caller compares no hardware. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "macrame.h"
#include "macrame_device.h"

struct board {
    struct macrame_device* device;
    struct macrame_machine machine;
    int hardware; /* as the run has found it */
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

/* One run with all bytes of the input alike; the output, which is the caller's. */
static int run_once(struct macrame_program* program, struct board* board, int value,
                    uint8_t** output) {
    struct macrame_tensor tensor;
    struct macrame_runner runner;
    uint8_t* input;
    int error = macrame_get_input(program, 0, &tensor);
    if (error != MACRAME_OK) return error;
    input = (uint8_t*)malloc(tensor.bytes);
    memset(input, value, tensor.bytes);
    error = macrame_write_input(program, &board->machine, 0, input, tensor.bytes);
    free(input);
    if (error == MACRAME_OK) error = macrame_begin(&runner, program, &board->machine);
    runner.timeout_ms = 100;
    runner.max_polls = 10000;
    if (error == MACRAME_OK) error = macrame_finish(&runner);
    if (error == MACRAME_OK) error = macrame_get_output(program, 0, &tensor);
    if (error != MACRAME_OK) return error;
    *output = (uint8_t*)malloc(tensor.bytes);
    board->hardware = runner.hardware;
    return macrame_read_output(program, &board->machine, 0, *output, tensor.bytes);
}

static int run(struct macrame_program* program, struct board* board) {
    static const int values[3] = {0, 99, 0};
    uint8_t* outputs[3] = {NULL, NULL, NULL};
    struct macrame_tensor tensor;
    int i, error = macrame_prepare(program, &board->machine);
    for (i = 0; i < 3 && error == MACRAME_OK; ++i)
        error = run_once(program, board, values[i], &outputs[i]);
    if (error == MACRAME_OK) error = macrame_get_output(program, 0, &tensor);
    if (error == MACRAME_OK && (memcmp(outputs[0], outputs[2], tensor.bytes) != 0 ||
                                memcmp(outputs[0], outputs[1], tensor.bytes) == 0))
        printf("other output: ");
    if (error == MACRAME_OK)
        printf("hardware %s: ", board->hardware == MACRAME_OK ? "known" : "not known");
    for (i = 0; i < 3; ++i)
        free(outputs[i]);
    return error;
}

int main(int argc, char** argv) {
    static uint8_t file[1 << 20];
    struct macrame_program program;
    struct board board = {NULL, {0}, 0};
    FILE* stream;
    size_t bytes;
    int error;
    if (argc < 3 || !(stream = fopen(argv[2], "rb"))) return 100;
    bytes = fread(file, 1, sizeof file, stream);
    fclose(stream);
    error = macrame_open(&program, file, bytes);
    board.device =
        macrame_device_create(argv[1], argc > 4 ? MACRAME_DEVICE_RTL : MACRAME_DEVICE_MODEL);
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
