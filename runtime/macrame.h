/* Runs compiled networks: opens a program file (compiler/program/README.md) in place, puts it into
 * memory, sends its commands to an accelerator through callbacks, brings inputs in and outputs out.
 *
 *     macrame_open -> macrame_prepare -> macrame_write_input -> macrame_run -> macrame_read_output
 *
 * and from macrame_write_input again for the next input (of old program files behind a reset of the
 * accelerator: runtime/README.md). C99, no allocation, no library: stdint.h and stddef.h only.
 * Nothing is global, so programs run side by side on several machines. */
#ifndef MACRAME_H
#define MACRAME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What functions return; macrame_error_text() says it in words. A new code is added at the end. */
enum macrame_error {
    MACRAME_OK = 0,
    MACRAME_BUSY,             /* macrame_step: waits for the accelerator; no error */
    MACRAME_BAD_ARGUMENT,     /* a null pointer, a number of a tensor that does not exist */
    MACRAME_NOT_A_PROGRAM,    /* other magic number */
    MACRAME_BAD_SIZE,         /* the file is longer or shorter than its header says */
    MACRAME_BAD_HEADER,       /* header or section table break the rules */
    MACRAME_BAD_CHECKSUM,     /* some bit of the file changed */
    MACRAME_BAD_STRING,       /* a name outside of the strings */
    MACRAME_BAD_COMMAND,      /* unknown code, or what it says cannot be */
    MACRAME_BAD_SEGMENT,      /* contents outside of the file or of the memory */
    MACRAME_BAD_TENSOR,       /* a layout that breaks the rules or leaves the memory */
    MACRAME_BAD_LAYER,        /* a layer that breaks the rules */
    MACRAME_SMALL_MEMORY,     /* machine.memory_bytes is less than program.memory_bytes */
    MACRAME_BAD_ALIGNMENT,    /* machine.device_address does not fit program.alignment */
    MACRAME_WRONG_LENGTH,     /* data given or asked for is not as long as the tensor */
    MACRAME_TIMEOUT,          /* no interrupt within timeout_ms */
    MACRAME_POLL_TIMEOUT,     /* a register did not get its value within max_polls reads */
    MACRAME_STUCK_INTERRUPT,  /* the line is high, no cause that is waited for comes */
    MACRAME_NO_HOST,          /* the program needs run.host */
    MACRAME_HOST_FAILED,      /* run.host returned an error */
    MACRAME_CANCELLED,        /* machine.wait wanted it */
    MACRAME_OTHER_HARDWARE,   /* the program was compiled for other hardware: macrame_difference */
    MACRAME_BAD_ADDRESS,      /* the block is not below the end of the accelerator's addresses */
    MACRAME_UNKNOWN_ADDRESS,  /* a block above 4 GiB, and an old program that knows no such end */
    MACRAME_UNKNOWN_HARDWARE, /* nothing to compare: macrame_check_hardware; no error of a run */
    MACRAME_MEMORY_ERROR,     /* memory answered the accelerator with an error */
    MACRAME_NO_INSTRUCTION,   /* the accelerator read a word that is no instruction */
    MACRAME_NO_NETWORK,       /* no network of this name, or none of several is selected */
    MACRAME_UNIT_BUSY         /* a unit of the accelerator was not idle when the run began */
};

/* The accelerator as its caller reaches it. Register addresses are bytes from its base. */
struct macrame_machine {
    void* user; /* first argument of the callbacks */
    uint32_t (*read)(void* user, uint32_t address);
    void (*write)(void* user, uint32_t address, uint32_t value);
    /* Sleeps until the interrupt line is high: 1; 0 when timeout_ms have passed before that. With
     * 0 ms it tells the level at once; a simulation lets a little time pass. May come too early.
     * -1 ends the run: MACRAME_CANCELLED. */
    int (*wait)(void* user, uint32_t timeout_ms);
    /* `bytes` of the block at `offset` were written by the processor and are for the accelerator
     * (to_device 1: write caches back), or the other way round (0: invalidate). Null: coherent. */
    void (*sync)(void* user, uint64_t offset, uint64_t bytes, int to_device);
    uint8_t* memory;         /* the block, as the processor sees it */
    uint64_t device_address; /* the same, as the accelerator sees it */
    uint64_t memory_bytes;
    /* Registers that are memory of the processor, the first register_bytes of them: a run stores
     * there itself what it would call `write` for. 0 bytes: it calls. */
    volatile uint32_t* registers;
    uint32_t register_bytes;
};

/* A program file in memory that stays where it is. Fields are for reading, but the last one. */
struct macrame_program {
    const uint8_t* file;
    const uint8_t *commands, *segments, *tensors, *layers, *strings;
    uint32_t command_count, segment_count, layer_count;
    uint32_t input_count, output_count;
    uint32_t identity; /* of the hardware that it was compiled for; 0: any */
    uint32_t alignment;
    uint32_t interrupt_status;
    uint32_t uses_interrupts; /* 0: no command waits for one */
    uint64_t memory_bytes;
    const char *family, *configuration, *network;
    uint32_t address_bits;      /* of the accelerator: the block lies below; 0: not known */
    uint32_t identity_register; /* tells the identity of the hardware, or reads 0; 0: none */
    const char* parameters;     /* that the identity is made of: lines "name=value" */
    /* Of a file of several networks: all of them (else null, 1), and the one that is selected, or
     * null. What is of a network above is that of this one. */
    const uint8_t* networks;
    uint32_t network_count;
    const char* name;
    /* Yours behind macrame_open(): identity of the hardware, ..._IDENTITY of the header
     * ..._params.h that came with the design. On other hardware no function does anything. 0: not
     * known here; a register may tell. */
    uint32_t hardware;
};

enum macrame_code {
    MACRAME_WRITE,
    MACRAME_WRITE_LOW,
    MACRAME_WRITE_HIGH,
    MACRAME_POLL,
    MACRAME_WAIT,
    MACRAME_BEGIN_LAYER,
    MACRAME_HOST,
    MACRAME_UNIT
};

struct macrame_command {
    uint32_t code; /* enum macrame_code */
    uint32_t address, value, aux;
};

enum macrame_element { MACRAME_INT8, MACRAME_UINT8, MACRAME_INT16, MACRAME_INT32, MACRAME_FLOAT32 };

/* real value = scale * (element - zero_point). Element (y, x, c) of the block is at
 * offset + c / group * surface_stride + y * line_stride + x * pixel_stride
 *        + c % group * element_bytes. */
struct macrame_tensor {
    const char* name;
    uint32_t element; /* enum macrame_element */
    uint32_t element_bytes;
    uint32_t height, width, channels;
    uint64_t bytes;  /* packed y, x, c: what macrame_write_input takes */
    uint64_t offset; /* in the block */
    uint64_t span;   /* bytes from there to behind its last group */
    uint32_t group, surface_stride, line_stride, pixel_stride;
    float scale;
    int32_t zero_point;
    int32_t filler; /* in channels up to a multiple of the group */
};

struct macrame_layer {
    const char* name;
    uint64_t estimated_cycles, macs;
};

/* A run and how far it is. macrame_begin() sets all; what is marked may be changed behind it. */
struct macrame_runner {
    const struct macrame_program* program;
    const struct macrame_machine* machine;
    uint32_t timeout_ms; /* yours: for one interrupt, 10000 */
    uint32_t max_polls;  /* yours: reads of one register, and interrupts without use, 100000000 */
    /* yours: does operator `number` of the host on the block (macrame_read_tensor, ..write..); 0:
     * well */
    int (*host)(void* user, const struct macrame_machine* machine, uint32_t number);
    /* yours: the commands that follow belong to layer `number`; may be null */
    void (*layer)(void* user, uint32_t number);
    void* user; /* yours: for these two */

    uint32_t next;    /* the command that is next; behind an error: that failed */
    uint32_t current; /* layer; ~0 before the first */
    uint32_t causes;  /* interrupts that came and were not waited for yet */
    uint32_t polls;   /* done for the command that is next */
    uint32_t started; /* 1 behind the first step */
    uint32_t swapped; /* bit n: the unit of command n began in its other register group */
    int hardware;     /* from then on: what macrame_check_hardware() told */
    /* Addresses with these bits may be those of such units' registers. */
    uint32_t group, group_bits;
};

/* Checks the file: its checksum, and every count, place and size in it, so that no other function
 * reads or writes outside of the file and the block. `file` needs no alignment. */
int macrame_open(struct macrame_program* program, const void* file, size_t bytes);

/* A file of several networks (macrame compile A B) is opened with none selected: it can be
 * prepared, once for all. They share memory: inputs and outputs of one hold until another one runs.
 * To have several at hand, copy the struct and select in each. MACRAME_NO_NETWORK: no network has
 * this name; a file of one network has that of its network. */
int macrame_select(struct macrame_program* program, const char* name);
/* Name of network number 0 .. network_count - 1; null: there is none. */
const char* macrame_network_name(const struct macrame_program* program, uint32_t number);

/* Is it the hardware that the program was compiled for? MACRAME_OK: yes. MACRAME_OTHER_HARDWARE:
 * no. MACRAME_UNKNOWN_HARDWARE: program.hardware is 0, and so is the register that tells it where
 * the hardware has one; or the program file is of an old version. A run does it by itself before
 * its first write, ends in the second case, and has the answer in run.hardware. */
int macrame_check_hardware(const struct macrame_program* program,
                           const struct macrame_machine* machine);

/* MACRAME_OTHER_HARDWARE if the program was compiled for hardware of another identity than this
 * one; 0 on either side: any. */
int macrame_check_identity(const struct macrame_program* program, uint32_t identity);

/* Behind that: the first parameter in which the hardware that the program was compiled for is not
 * the one with these `parameters`, ..._PROGRAM_PARAMETERS of that header: "banks = 16: want 8". It
 * is cut to `bytes`, with a 0 at the end. Returns 0, and an empty text, if there is none. */
int macrame_difference(const struct macrame_program* program, const char* parameters, char* text,
                       size_t bytes);

/* Fill *out for number 0 .. count - 1. */
int macrame_get_input(const struct macrame_program* program, uint32_t number,
                      struct macrame_tensor* out);
int macrame_get_output(const struct macrame_program* program, uint32_t number,
                       struct macrame_tensor* out);
int macrame_get_layer(const struct macrame_program* program, uint32_t number,
                      struct macrame_layer* out);
int macrame_get_command(const struct macrame_program* program, uint32_t number,
                        struct macrame_command* out);

/* Number of the input or output of this name, or -1. */
int32_t macrame_find_input(const struct macrame_program* program, const char* name);
int32_t macrame_find_output(const struct macrame_program* program, const char* name);

/* Puts the contents that the program brings (weights, tables) into the block. Once; again if
 * something else wrote to the block. Other bytes stay as they are. */
int macrame_prepare(const struct macrame_program* program, const struct macrame_machine* machine);

/* Data of a tensor, packed y, x, c, elements little-endian, <-> its place in the block. `bytes`
 * must be tensor.bytes. Writing sets the filler channels, too. */
int macrame_write_input(const struct macrame_program* program,
                        const struct macrame_machine* machine, uint32_t number, const void* data,
                        uint64_t bytes);
int macrame_read_output(const struct macrame_program* program,
                        const struct macrame_machine* machine, uint32_t number, void* data,
                        uint64_t bytes);
/* The same for a tensor of the caller, say of a host operator. */
int macrame_write_tensor(const struct macrame_machine* machine, const struct macrame_tensor* tensor,
                         const void* data, uint64_t bytes);
int macrame_read_tensor(const struct macrame_machine* machine, const struct macrame_tensor* tensor,
                        void* data, uint64_t bytes);

/* Rows along an axis of a tensor, 0: y, 1: x, 2: channels, into places of their own; the rest of it
 * stays. `rows` are packed y, x, c, of that axis `count`; a place for each, of 4 or 8 bytes, below
 * 0 from behind. In macrame_rows.c. */
int macrame_put_rows(const struct macrame_machine* machine, const struct macrame_tensor* tensor,
                     uint32_t axis, uint32_t count, const void* rows, const void* places,
                     uint32_t place_bytes);

/* Sets up a run from the first command, with no host operators. After an error: reset the
 * accelerator, then macrame_begin() or macrame_run() again; the block needs no new preparation
 * unless what failed wrote where it should not. */
int macrame_begin(struct macrame_runner* run, const struct macrame_program* program,
                  const struct macrame_machine* machine);

/* Goes on as far as it can without sleeping. MACRAME_OK: all commands are done. MACRAME_BUSY: call
 * again, when the interrupt line is high or run->polls is not 0. Never calls machine.wait, and
 * knows no time: after how long to give up is up to the caller. */
int macrame_step(struct macrame_runner* run);

/* Goes on to the end and sleeps in machine.wait. */
int macrame_finish(struct macrame_runner* run);

/* macrame_begin and macrame_finish. */
int macrame_run(const struct macrame_program* program, const struct macrame_machine* machine);

/* The same for `count` inputs, one after the other: data of all tensors as macrame_write_input and
 * macrame_read_output have them, for each tensor those of all runs back to back. `reset`, which is
 * told machine.user, resets the accelerator in front of each run; it may be null, but not with a
 * program that has to begin behind a reset (runtime/README.md). */
int macrame_run_batch(const struct macrame_program* program, const struct macrame_machine* machine,
                      uint32_t count, const void* const* inputs, void* const* outputs,
                      void (*reset)(void* user));

/* One sentence on a code of enum macrame_error. Never null. */
const char* macrame_error_text(int error);

#ifdef __cplusplus
}
#endif

#endif
