/* Writes on from a prompt with a small language model: two networks, prefill for the prompt, some
 * tokens at a time, and decode for one token, which share weights and cache in the memory of the
 * accelerator. Here that is a device of runtime/device/ - golden model or Verilated design -, which
 * on a board macrame_linux.h or a machine of yours takes the place of.
 *
 *     language_model model|rtl CONFIGURATION FOLDER PROMPT COUNT [TEMPERATURE SEED]
 *
 * FOLDER has what `macrame compile prefill.onnx decode.onnx` wrote and embedding.bin, and
 * tokens.txt where tokens are text, a line for each; else PROMPT is numbers with commas between.
 * Without TEMPERATURE the likeliest token is next, with it one is drawn; SEED begins the generator.
 * Compiled with prefill_host.c and decode_host.c of FOLDER (make -f): README.md. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode_host.h"
#include "macrame_device.h"
#include "prefill_host.h"

enum { MOST_TOKENS = 4096, MOST_TEXT = 64 };
enum { WIDTH = DECODE_INPUT_0_BYTES, CHUNK = PREFILL_INPUT_0_BYTES / WIDTH };
enum { TOKENS = DECODE_OUTPUT_0_BYTES };

struct model {
    struct macrame_device* device;
    struct macrame_machine machine;
    struct macrame_program prefill_program, decode_program;
    struct prefill prefill;
    struct decode decode;
    int8_t* embedding;       /* a row for each token */
    char (*text)[MOST_TEXT]; /* of each token; null: there is none */
    int8_t logits[TOKENS];   /* behind the last token */
    uint32_t place;          /* of the next token */
};

static void fail(const char* what, const char* why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void check(int error, const char* what) {
    if (error != 0) fail(what, macrame_error_text(error));
}

/* ------------------------------------------------------------------ the machine */

static uint32_t read_register(void* user, uint32_t address) {
    return macrame_device_read(((struct model*)user)->device, address);
}

static void write_register(void* user, uint32_t address, uint32_t value) {
    macrame_device_write(((struct model*)user)->device, address, value);
}

static int wait_interrupt(void* user, uint32_t timeout_ms) {
    return macrame_device_wait(((struct model*)user)->device, (uint64_t)timeout_ms * 100000);
}

static void sync_memory(void* user, uint64_t offset, uint64_t bytes, int to_device) {
    struct model* const model = (struct model*)user;
    uint8_t* const here = model->machine.memory + offset;
    const uint64_t there = model->machine.device_address + offset;
    if (to_device)
        macrame_device_memory_write(model->device, MACRAME_PORT_PRIMARY, there, here, bytes);
    else
        macrame_device_memory_read(model->device, MACRAME_PORT_PRIMARY, there, here, bytes);
}

/* ------------------------------------------------------------------ files */

static uint8_t* read_file(const char* folder, const char* name, size_t* bytes) {
    char path[1024];
    uint8_t* data = NULL;
    long size = -1;
    FILE* file;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    if (file && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size >= 0) data = malloc((size_t)size + 1);
    if (!data) return NULL;
    rewind(file);
    if (fread(data, 1, (size_t)size, file) != (size_t)size) fail(path, "cannot be read");
    data[size] = 0;
    fclose(file);
    *bytes = (size_t)size;
    return data;
}

static void read_tokens(struct model* model, const char* folder) {
    size_t bytes, length;
    uint32_t i;
    char* const lines = (char*)read_file(folder, "tokens.txt", &bytes);
    char* line = lines;
    if (!lines) return;
    model->text = calloc(TOKENS, sizeof *model->text);
    if (!model->text) fail("tokens.txt", "no memory");
    for (i = 0; i < TOKENS; ++i, line += length + 1) {
        length = strcspn(line, "\n");
        if (line[length] == 0 || length >= MOST_TEXT)
            fail("tokens.txt", "want a line of less than 64 bytes for each token");
        memcpy(model->text[i], line, length);
    }
    free(lines);
}

/* Tokens of a prompt, of several that fit the longest. */
static uint32_t tokens_of(const struct model* model, const char* prompt, uint32_t* out) {
    uint32_t count = 0, token, found;
    while (*prompt) {
        char* end = NULL;
        if (count == MOST_TOKENS) fail("PROMPT", "too long");
        found = TOKENS;
        if (!model->text) {
            found = (uint32_t)strtoul(prompt, &end, 10);
            if (end == prompt) fail(prompt, "want numbers of tokens, commas between");
            prompt = *end == ',' ? end + 1 : end;
        }
        for (token = 0; model->text && token < TOKENS; ++token) {
            const size_t length = strlen(model->text[token]);
            if (length != 0 && strncmp(prompt, model->text[token], length) == 0 &&
                (found == TOKENS || length > strlen(model->text[found])))
                found = token;
        }
        if (found >= TOKENS) fail(prompt, "begins with no token");
        if (model->text) prompt += strlen(model->text[found]);
        out[count++] = found;
    }
    if (count == 0) fail("PROMPT", "want at least one token");
    return count;
}

/* ------------------------------------------------------------------ the networks */

static void open_model(struct model* model, const char* folder) {
    static uint64_t arena[(PREFILL_ARENA_BYTES > DECODE_ARENA_BYTES ? PREFILL_ARENA_BYTES
                                                                    : DECODE_ARENA_BYTES) /
                              8 +
                          1];
    struct macrame_program* const program = &model->prefill_program;
    size_t bytes;
    void* file = read_file(folder, "networks.program", &bytes);
    if (!file) fail(folder, "want networks.program in it");
    check(macrame_open(program, file, bytes), "networks.program");
    program->hardware = macrame_device_identity(model->device);
    model->machine.user = model;
    model->machine.read = read_register;
    model->machine.write = write_register;
    model->machine.wait = wait_interrupt;
    model->machine.sync = sync_memory;
    model->machine.memory_bytes = program->memory_bytes;
    model->machine.memory = calloc(1, (size_t)program->memory_bytes);
    model->machine.device_address = 0x80000000u;
    if (!model->machine.memory) fail("networks.program", "no memory for it");
    check(macrame_prepare(program, &model->machine), "networks.program");
    model->decode_program = *program;
    check(macrame_select(&model->prefill_program, "prefill"), "prefill");
    check(macrame_select(&model->decode_program, "decode"), "decode");
    model->prefill.programs = &model->prefill_program;
    model->decode.programs = &model->decode_program;
    model->prefill.machines = model->decode.machines = &model->machine;
    model->prefill.arena = model->decode.arena = arena;
    model->embedding = (int8_t*)read_file(folder, "embedding.bin", &bytes);
    if (!model->embedding || bytes != (size_t)TOKENS * WIDTH)
        fail("embedding.bin", "want a row for each token");
    read_tokens(model, folder);
    prefill_begin(&model->prefill); /* the cache of both */
}

/* Some tokens through prefill, or one through decode; then there are logits. */
static void step(struct model* model, const uint32_t* tokens, uint32_t count, int is_prompt) {
    static int8_t x[CHUNK * WIDTH];
    int64_t position[1], last[1];
    const void* const inputs[3] = {x, position, last};
    void* const outputs[1] = {model->logits};
    uint32_t i;
    int error;
    position[0] = model->place;
    last[0] = (int64_t)count - 1;
    memset(x, 0, sizeof x);
    for (i = 0; i < count; ++i)
        memcpy(x + (size_t)i * WIDTH, model->embedding + (size_t)tokens[i] * WIDTH, WIDTH);
    error = is_prompt ? prefill_run(&model->prefill, inputs, outputs)
                      : decode_run(&model->decode, inputs, outputs);
    check(error, is_prompt ? model->prefill.failed : model->decode.failed);
    model->place += count;
}

/* ------------------------------------------------------------------ sampling */

/* xorshift64*: 53 bits of 0 to 1. */
static double drawn(uint64_t* state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * UINT64_C(2685821657736338717)) >> 11) / 9007199254740992.0;
}

/* The largest logit, of equal ones the first. */
static uint32_t likeliest(const int8_t* logits) {
    uint32_t i, best = 0;
    for (i = 1; i < TOKENS; ++i)
        if (logits[i] > logits[best]) best = i;
    return best;
}

/* One of all, as softmax of logits over the temperature has it. */
static uint32_t sampled(const int8_t* logits, double temperature, uint64_t* state) {
    static double shares[TOKENS];
    const int8_t most = logits[likeliest(logits)];
    double sum = 0, left;
    uint32_t i;
    for (i = 0; i < TOKENS; ++i) {
        shares[i] = exp((logits[i] - most) * (double)DECODE_OUTPUT_0_SCALE / temperature);
        sum += shares[i];
    }
    left = drawn(state) * sum;
    for (i = 0; i + 1 < TOKENS && left >= shares[i]; ++i)
        left -= shares[i];
    return i;
}

/* ------------------------------------------------------------------ the report */

static uint64_t estimated(const struct macrame_program* program) {
    struct macrame_layer layer;
    uint64_t sum = 0;
    uint32_t i;
    for (i = 0; macrame_get_layer(program, i, &layer) == MACRAME_OK; ++i)
        sum += layer.estimated_cycles;
    return sum;
}

static void report(struct model* model, uint32_t steps, int is_rtl) {
    struct macrame_device_statistics seen;
    uint64_t cycles = estimated(&model->decode_program);
    const char* how = "estimated";
    check(macrame_device_statistics(model->device, &seen), "statistics");
    if (steps == 0) return;
    if (is_rtl) {
        cycles = seen.cycles / steps;
        how = "of the design";
    }
    fprintf(stderr,
            "decode: %" PRIu64 " cycles %s and %" PRIu64
            " bytes of memory a token; %.1f tokens/s "
            "at 100 MHz, without the host\n",
            cycles, how, (seen.read_bytes + seen.write_bytes) / steps, 1e8 / (double)cycles);
}

static void print_token(const struct model* model, uint32_t token, int is_first) {
    if (model->text)
        fputs(model->text[token], stdout);
    else
        printf("%s%" PRIu32, is_first ? "" : ",", token);
    fflush(stdout);
}

int main(int argc, char** argv) {
    static struct model model;
    static uint32_t prompt[MOST_TOKENS];
    struct macrame_device_statistics before;
    uint32_t length, begin, i, count, token;
    double temperature = 0;
    uint64_t state = 1;
    const int is_rtl = argc > 1 && strcmp(argv[1], "rtl") == 0;
    if (argc != 6 && argc != 8)
        fail(argv[0], "want model|rtl CONFIGURATION FOLDER PROMPT COUNT [TEMPERATURE SEED]");
    if (argc == 8) {
        temperature = strtod(argv[6], NULL);
        state = strtoull(argv[7], NULL, 10);
        if (!(temperature > 0) || state == 0) fail("TEMPERATURE SEED", "want both above 0");
    }
    count = (uint32_t)strtoul(argv[5], NULL, 10);
    model.device =
        macrame_device_create(argv[2], is_rtl ? MACRAME_DEVICE_RTL : MACRAME_DEVICE_MODEL);
    if (!model.device) return 1;
    open_model(&model, argv[3]);
    length = tokens_of(&model, argv[4], prompt);
    for (begin = 0; begin < length; begin += CHUNK)
        step(&model, prompt + begin, length - begin < CHUNK ? length - begin : CHUNK, 1);
    check(macrame_device_statistics(model.device, &before), "statistics");
    for (i = 0; i < count; ++i) {
        token =
            temperature > 0 ? sampled(model.logits, temperature, &state) : likeliest(model.logits);
        print_token(&model, token, i == 0);
        if (i + 1 < count) step(&model, &token, 1, 0);
    }
    puts("");
    report(&model, count > 0 ? count - 1 : 0, is_rtl);
    return macrame_device_destroy(model.device);
}
