/* Runs compiled networks on a tensor unit: a .tmodel with its .tprog and .tdata, as Tensil's
 * compiler and `macrame compile` write them.
 *
 *     macrame_tcu_open, macrame_tcu_attach    files in memory; everything is checked
 *     macrame_tcu_load                        constants and program into the memory of the unit
 *     macrame_tcu_write_input -> macrame_tcu_run -> macrame_tcu_read_output     and again
 *
 * C99, no allocation, no library: stdint.h and stddef.h only. Nothing is global, so networks run
 * side by side on several units; a unit has one network at a time. */
#ifndef MACRAME_TCU_H
#define MACRAME_TCU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What functions return; macrame_tcu_error_text() says it in words. A new code is added at the
 * end. */
enum macrame_tcu_error {
    MACRAME_TCU_OK = 0,
    MACRAME_TCU_BUSY,               /* macrame_tcu_poll: the unit is at work; no error */
    MACRAME_TCU_BAD_ARGUMENT,       /* a null pointer, a number of a tensor that does not exist */
    MACRAME_TCU_BAD_JSON,           /* the .tmodel is no JSON */
    MACRAME_TCU_BAD_MODEL,          /* a member of it is missing, unknown, twice or impossible */
    MACRAME_TCU_PROGRAM_SIZE,       /* the .tprog is not as long as the .tmodel says */
    MACRAME_TCU_CONSTANTS_SIZE,     /* the same of the .tdata */
    MACRAME_TCU_BAD_INSTRUCTION,    /* unknown, leaves the banks, changes where they are */
    MACRAME_TCU_OTHER_ARCHITECTURE, /* the network was made for another unit */
    MACRAME_TCU_SMALL_MEMORY,       /* a block is smaller than the network needs */
    MACRAME_TCU_BAD_ADDRESS,        /* a block is not aligned or out of reach */
    MACRAME_TCU_OVERLAP,            /* two blocks have bytes in common */
    MACRAME_TCU_PROBE_IN_USE,       /* the network uses what tells that it is complete */
    MACRAME_TCU_WRONG_LENGTH,       /* data given or asked for is not as long as the tensor */
    MACRAME_TCU_TIMEOUT,            /* not complete within max_polls looks */
    MACRAME_TCU_STREAM_FAILED,      /* machine.send reports an error */
    MACRAME_TCU_CANCELLED,          /* machine.wait wanted it */
    MACRAME_TCU_OTHER_HARDWARE,     /* the unit is not the one that machine.identity means */
    MACRAME_TCU_BUS_ERROR,          /* memory answered the unit with an error */
    MACRAME_TCU_RESET_FAILED        /* the soft reset does not come to its end */
};

/* What an error is about. */
struct macrame_tcu_problem {
    const char* what;       /* a key, a field, a block; never null behind an error */
    uint64_t place;         /* byte of the .tmodel, number of the instruction, address of a bus
                               error; else 0 */
    uint64_t found, wanted; /* where that says something; else both 0 */
};

/* In the names of Tensil, so that MACRAME_TCU_TENSIL_ARCHITECTURE finds them. */
enum macrame_tcu_data_type {
    MACRAME_TENSIL_DATA_TYPE_FP8BP4,
    MACRAME_TENSIL_DATA_TYPE_FP16BP8,
    MACRAME_TENSIL_DATA_TYPE_FP18BP10,
    MACRAME_TENSIL_DATA_TYPE_FP32BP16
};

/* The keys of a .tarch file. Depths are vectors of array_size scalars. */
struct macrame_tcu_architecture {
    uint32_t data_type; /* enum macrame_tcu_data_type */
    uint32_t array_size;
    uint64_t dram0_depth, dram1_depth;
    uint32_t local_depth, accumulator_depth, simd_registers_depth;
    uint32_t stride0_depth, stride1_depth;
    uint32_t lut_tables, lut_depth; /* lookup tables; 0: none */
};

/* The architecture of a unit from the header architecture_params.h of an output, an initializer.
 * (A unit with lookup tables has TCU_LUT_TABLES and TCU_LUT_DEPTH of tcu_params.h beside.) Of an
 * output with --prefix core0_: MACRAME_TCU_ARCHITECTURE_OF(CORE0_TENSIL_ARCHITECTURE). */
#define MACRAME_TCU_TENSIL_ARCHITECTURE MACRAME_TCU_ARCHITECTURE_OF(TENSIL_ARCHITECTURE)
#define MACRAME_TCU_ARCHITECTURE_OF(name)                                                          \
    {                                                                                              \
        MACRAME_TCU_PASTE(MACRAME_, MACRAME_TCU_PASTE(name, _DATA_TYPE)),                          \
            MACRAME_TCU_PASTE(name, _ARRAY_SIZE), MACRAME_TCU_PASTE(name, _DRAM0_DEPTH),           \
            MACRAME_TCU_PASTE(name, _DRAM1_DEPTH), MACRAME_TCU_PASTE(name, _LOCAL_DEPTH),          \
            MACRAME_TCU_PASTE(name, _ACCUMULATOR_DEPTH),                                           \
            MACRAME_TCU_PASTE(name, _SIMD_REGISTERS_DEPTH),                                        \
            MACRAME_TCU_PASTE(name, _STRIDE0_DEPTH), MACRAME_TCU_PASTE(name, _STRIDE1_DEPTH), 0, 0 \
    }
#define MACRAME_TCU_PASTE(a, b) MACRAME_TCU_PASTE_EXPANDED(a, b)
#define MACRAME_TCU_PASTE_EXPANDED(a, b) a##b

/* Memory that processor and unit share. */
struct macrame_tcu_block {
    uint8_t* memory; /* as the processor sees it */
    uint64_t
        device_address; /* the same, as the port of the unit (of the stream: of the DMA) does */
    uint64_t bytes;
};

/* A unit as its caller reaches it.
 *
 * Banks and stream usually lie in one memory. They must not overlap, and macrame_tcu_load() checks
 * it: the banks are where the offset registers of the unit put vector 0, so their addresses are
 * multiples of 64 KiB below 4 GiB. A bank need not have room for all vectors of the architecture,
 * only for those that the network uses; with the flush probe DRAM0 is whole. */
struct macrame_tcu_machine {
    struct macrame_tcu_architecture architecture;
    uint32_t beat_bytes; /* of the instruction stream: AXI data width / 8 */
    struct macrame_tcu_block dram0, dram1;
    struct macrame_tcu_block stream; /* program, a few instructions and padding; the last bytes tell
                                        whose program it is */
    uint32_t separate_memories;      /* 1: banks and stream are in memories of their own, so equal
                                        addresses are different places */
    uint32_t interrupts;      /* 1: the irq pin rises when all instructions were taken, by the
                                 tracepoint: for machine.wait */
    uint32_t timeout;         /* for the register of this name, in cycles; 0: as after reset */
    uint32_t sample_interval; /* in cycles; 0: no samples */
    uint32_t max_polls;       /* looks before MACRAME_TCU_TIMEOUT; 0: 100000000 */

    void* user; /* first argument of the callbacks */
    /* Sends `bytes` of the stream block from `offset` on, whole beats, to the instruction port
     * behind what was sent before. May return before they are taken. Not 0: it failed. */
    int (*send)(void* user, uint64_t offset, uint64_t bytes);
    /* Is everything sent complete? 1, 0, or -1 to end the run. Null where nobody can tell: the
     * flush probe does then. */
    int (*at_rest)(void* user);
    /* Between two looks: sleeps until an interrupt comes, for a while, or not at all. Not 0 ends
     * the run: MACRAME_TCU_CANCELLED. Null: looks at once. */
    int (*wait)(void* user);
    /* Bytes of a block were written by the processor and are for the device (to_device 1: write
     * caches back), or the other way round (0: invalidate). Null: memory is coherent. */
    void (*sync)(void* user, const struct macrame_tcu_block* block, uint64_t offset, uint64_t bytes,
                 int to_device);

    /* Of a unit with the port of its registers (control-port, as on the boards), else null: a
     * register, bytes from the base of the port. Runs then end with MACRAME_TCU_BUS_ERROR where
     * memory failed, and the unit must be the right one. */
    uint32_t (*read_register)(void* user, uint32_t address);
    void (*write_register)(void* user, uint32_t address, uint32_t value);
    uint32_t identity; /* TCU_IDENTITY of tcu_params.h; 0: not compared */
    /* Waits until all that was sent has been taken, for macrame_tcu_reset(): for an AXI DMA
     * macrame_axi_dma_drain. Not 0: it is not. Null: `send` returns only then. */
    int (*drain)(void* user);
};

/* Bits of an instruction; operands from bit 0 upward, then 4 bits of flags, 4 of opcode. */
struct macrame_tcu_layout {
    uint32_t address0_bits, stride0_bits, operand0_bytes;
    uint32_t address1_bits, stride1_bits, operand1_bytes;
    uint32_t register_bits, operand2_bytes;
    uint32_t bytes;
};

/* Text of the .tmodel, as it stands there: escapes are not resolved. */
struct macrame_tcu_text {
    const char* text; /* not ended by 0 */
    size_t bytes;
};

/* An opened network. The files stay where they are. Fields are for reading. */
struct macrame_tcu_network {
    struct macrame_tcu_problem problem; /* of the last function that failed */
    struct macrame_tcu_architecture architecture;
    struct macrame_tcu_layout layout;
    uint32_t scalar_bytes, vector_bytes;                        /* in DRAM */
    struct macrame_tcu_text name, program_name, constants_name; /* names of files */
    uint64_t program_bytes;
    uint64_t constants_base, constants_vectors;
    uint32_t constants_to_local; /* they are copied from DRAM1 to local memory once */
    uint32_t input_count, output_count;

    const char* json;
    size_t json_bytes, inputs_at, outputs_at;
    const uint8_t *program, *constants;    /* null before macrame_tcu_attach */
    uint64_t dram0_vectors, dram1_vectors; /* that are used, from 0 on */
    uint64_t stream_bytes;                 /* in the stream block; 0 before macrame_tcu_load */
    uint32_t polls;                        /* since macrame_tcu_begin */
};

struct macrame_tcu_tensor {
    struct macrame_tcu_text name;
    uint64_t vectors;
};

/* Reads the .tmodel. `json` stays. */
int macrame_tcu_open(struct macrame_tcu_network* network, const char* json, size_t bytes);

/* Takes its files, and looks at every instruction: none reads or writes outside of the banks. */
int macrame_tcu_attach(struct macrame_tcu_network* network, const void* program,
                       uint64_t program_bytes, const void* constants, uint64_t constants_bytes);

/* Fill *out for number 0 .. count - 1. */
int macrame_tcu_get_input(const struct macrame_tcu_network* network, uint32_t number,
                          struct macrame_tcu_tensor* out);
int macrame_tcu_get_output(const struct macrame_tcu_network* network, uint32_t number,
                           struct macrame_tcu_tensor* out);

/* Makes the unit ready for this network: checks that it is the right one and the blocks, brings
 * constants and program, sets the registers of the unit, waits until it has done what it was sent.
 * The unit comes out of reset, or from the run of another network, which is not loaded any more. */
int macrame_tcu_load(struct macrame_tcu_network* network,
                     const struct macrame_tcu_machine* machine);

/* Makes the unit ready for another network of the same macrame compile, whose constants are those
 * of the one that is loaded: brings its program alone. The other one is not loaded any more. */
int macrame_tcu_switch(struct macrame_tcu_network* network,
                       const struct macrame_tcu_machine* machine,
                       struct macrame_tcu_network* loaded);

/* Numbers in the order pixel, channel: `pixels` times `channels` of them; each pixel begins with a
 * vector of its own. They are rounded to the nearest code, half upwards, and clamped to the range
 * of the type; what is no number becomes 0. */
int macrame_tcu_write_input(struct macrame_tcu_network* network,
                            const struct macrame_tcu_machine* machine, uint32_t number,
                            const float* values, uint64_t pixels, uint32_t channels);
int macrame_tcu_read_output(struct macrame_tcu_network* network,
                            const struct macrame_tcu_machine* machine, uint32_t number,
                            float* values, uint64_t pixels, uint32_t channels);
/* The same for vectors in DRAM coding. */
int macrame_tcu_write_vectors(struct macrame_tcu_network* network,
                              const struct macrame_tcu_machine* machine, uint32_t number,
                              const void* data, uint64_t vectors);
int macrame_tcu_read_vectors(struct macrame_tcu_network* network,
                             const struct macrame_tcu_machine* machine, uint32_t number, void* data,
                             uint64_t vectors);

/* Sends the program. */
int macrame_tcu_begin(struct macrame_tcu_network* network,
                      const struct macrame_tcu_machine* machine);
/* One look: MACRAME_TCU_BUSY, MACRAME_TCU_OK or an error. Never calls machine.wait. */
int macrame_tcu_poll(struct macrame_tcu_network* network,
                     const struct macrame_tcu_machine* machine);
/* Looks until the program is complete. */
int macrame_tcu_finish(struct macrame_tcu_network* network,
                       const struct macrame_tcu_machine* machine);
/* Soft reset of a unit with registers, behind a bus error, a timeout or a run that was given up:
 * bursts under way end, what is left of the stream is dropped. Then load again. */
int macrame_tcu_reset(struct macrame_tcu_network* network,
                      const struct macrame_tcu_machine* machine);

/* macrame_tcu_begin and macrame_tcu_finish. After an error: reset the unit and load again. */
int macrame_tcu_run(struct macrame_tcu_network* network, const struct macrame_tcu_machine* machine);

/* A number as a code of the type, and back. */
int32_t macrame_tcu_encode(uint32_t data_type, float value);
float macrame_tcu_decode(uint32_t data_type, int32_t code);

/* Half a sentence on a code of enum macrame_tcu_error. Never null. */
const char* macrame_tcu_error_text(int error);

#ifdef __cplusplus
}
#endif

#endif
