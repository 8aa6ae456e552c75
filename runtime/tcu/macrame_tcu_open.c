/* .tmodel files: JSON with known keys, read in place. A key that is not known is refused: nobody
 * could say what it asks for. */
#include "macrame_tcu_internal.h"

int macrame_tcu_fail(struct macrame_tcu_problem* problem, int error, const char* what,
                     uint64_t place, uint64_t found, uint64_t wanted) {
    problem->what = what;
    problem->place = place;
    problem->found = found;
    problem->wanted = wanted;
    return error;
}

int macrame_tcu_same_text(const struct macrame_tcu_text* a, const struct macrame_tcu_text* b) {
    size_t i;
    if (a->bytes != b->bytes) return 0;
    for (i = 0; i < a->bytes; ++i) {
        if (a->text[i] != b->text[i]) return 0;
    }
    return 1;
}

static int is_key(const struct macrame_tcu_text* text, const char* key) {
    size_t i;
    for (i = 0; i < text->bytes && key[i] == text->text[i] && key[i] != 0; ++i) {
    }
    return i == text->bytes && key[i] == 0;
}

/* ------------------------------------------------------------------ JSON */

/* The first mistake stays; after it everything reads as the end. */
struct reader {
    const char* text;
    size_t at, bytes;
    struct macrame_tcu_problem* problem;
    int error;
};

static int mistake(struct reader* r, int error, const char* what, uint64_t found, uint64_t wanted) {
    if (r->error == MACRAME_TCU_OK)
        r->error = macrame_tcu_fail(r->problem, error, what, r->at, found, wanted);
    r->at = r->bytes;
    return 0;
}

static char peek(struct reader* r) {
    while (r->at < r->bytes && (r->text[r->at] == ' ' || r->text[r->at] == '\n' ||
                                r->text[r->at] == '\r' || r->text[r->at] == '\t'))
        ++r->at;
    return r->at < r->bytes ? r->text[r->at] : '\0';
}

/* `what`: as messages have it. */
static int expect(struct reader* r, char c, const char* what) {
    if (peek(r) != c || r->at == r->bytes) return mistake(r, MACRAME_TCU_BAD_JSON, what, 0, 0);
    ++r->at;
    return 1;
}

static struct macrame_tcu_text read_text(struct reader* r) {
    struct macrame_tcu_text out = {"", 0};
    size_t start;
    if (!expect(r, '"', "text in quotes")) return out;
    start = r->at;
    while (r->at < r->bytes && r->text[r->at] != '"') {
        if ((unsigned char)r->text[r->at] < ' ') break;
        if (r->text[r->at] == '\\') ++r->at;
        ++r->at;
    }
    if (r->at >= r->bytes || r->text[r->at] != '"') {
        mistake(r, MACRAME_TCU_BAD_JSON, "the end of a text", 0, 0);
        return out;
    }
    out.text = r->text + start;
    out.bytes = r->at - start;
    ++r->at;
    return out;
}

static uint64_t read_number(struct reader* r, const char* key, uint64_t low, uint64_t high) {
    uint64_t value = 0;
    const size_t start = (peek(r), r->at);
    while (r->at < r->bytes && r->text[r->at] >= '0' && r->text[r->at] <= '9' &&
           value <= (uint64_t)1 << 52)
        value = 10 * value + (uint64_t)(r->text[r->at++] - '0');
    if (r->at == start || (r->at < r->bytes && (r->text[r->at] == '.' || r->text[r->at] == 'e' ||
                                                r->text[r->at] == 'E'))) {
        r->at = start;
        mistake(r, MACRAME_TCU_BAD_MODEL, key, 0, 0);
        return low;
    }
    if (value >= low && value <= high) return value;
    r->at = start;
    mistake(r, MACRAME_TCU_BAD_MODEL, key, value, value < low ? low : high);
    return low;
}

static uint32_t read_boolean(struct reader* r, const char* key) {
    static const char* const words[] = {"false", "true"};
    uint32_t value;
    peek(r);
    for (value = 0; value < 2; ++value) {
        size_t i = 0;
        while (words[value][i] != 0 && r->at + i < r->bytes &&
               r->text[r->at + i] == words[value][i])
            ++i;
        if (words[value][i] == 0) {
            r->at += i;
            return value;
        }
    }
    mistake(r, MACRAME_TCU_BAD_MODEL, key, 0, 0);
    return 0;
}

/* An object with these keys, at most 31; bit i of `seen` is key i. */
struct members {
    const char* const* keys;
    uint32_t seen;
    int open;
};

/* Number of the key whose value is next; -1 at the end. */
static int next_key(struct reader* r, struct members* m) {
    struct macrame_tcu_text key;
    int i;
    if (!m->open) {
        expect(r, '{', "{");
        m->open = 1;
        if (peek(r) == '}') {
            ++r->at;
            return -1;
        }
    } else if (peek(r) == '}') {
        ++r->at;
        return -1;
    } else {
        expect(r, ',', ", or }");
    }
    key = read_text(r);
    expect(r, ':', ":");
    if (r->error != MACRAME_TCU_OK) return -1;
    for (i = 0; m->keys[i]; ++i) {
        if (!is_key(&key, m->keys[i])) continue;
        if ((m->seen >> i & 1u) != 0)
            return mistake(r, MACRAME_TCU_BAD_MODEL, m->keys[i], 2, 1) - 1;
        m->seen |= (uint32_t)1 << i;
        return i;
    }
    return mistake(r, MACRAME_TCU_BAD_MODEL, "a key that is not known", 0, 0) - 1;
}

/* All keys but those of `optional` must have come. */
static void want_keys(struct reader* r, const struct members* m, uint32_t optional) {
    int i;
    for (i = 0; m->keys[i]; ++i) {
        if (((m->seen | optional) >> i & 1u) == 0 && r->error == MACRAME_TCU_OK)
            mistake(r, MACRAME_TCU_BAD_MODEL, m->keys[i], 0, 1);
    }
}

/* 1 in front of each item of an array, 0 behind its end. */
static int next_item(struct reader* r, int* open) {
    if (!*open) {
        *open = 1;
        if (!expect(r, '[', "[")) return 0;
        if (peek(r) != ']') return 1;
    } else if (peek(r) != ']') {
        return expect(r, ',', ", or ]");
    }
    ++r->at;
    return 0;
}

/* ------------------------------------------------------------------ parts of a model */

static uint32_t read_type(struct reader* r) {
    static const char* const names[] = {"FP8BP4", "FP16BP8", "FP18BP10", "FP32BP16"};
    const struct macrame_tcu_text found = read_text(r);
    uint32_t i;
    for (i = 0; i < 4; ++i) {
        if (is_key(&found, names[i])) return i;
    }
    mistake(r, MACRAME_TCU_BAD_MODEL, "data_type", 0, 0);
    return 0;
}

static void read_architecture(struct reader* r, struct macrame_tcu_architecture* a) {
    static const char* const keys[] = {"data_type",
                                       "array_size",
                                       "dram0_depth",
                                       "dram1_depth",
                                       "local_depth",
                                       "accumulator_depth",
                                       "simd_registers_depth",
                                       "stride0_depth",
                                       "stride1_depth",
                                       "number_of_threads",
                                       "thread_queue_depth",
                                       "lut_tables",
                                       "lut_depth",
                                       0};
    static const struct {
        uint32_t low;
        uint64_t high;
    } limits[] = {{0, 0},
                  {2, 256},
                  {2, (uint64_t)1 << 32},
                  {2, (uint64_t)1 << 32},
                  {2, 65536},
                  {2, 65536},
                  {0, 16},
                  {1, 16},
                  {1, 16},
                  {1, 2},
                  {1, 65536},
                  {0, 15},
                  {0, 65536}};
    uint64_t values[13];
    struct members m = {keys, 0, 0};
    int key;
    for (key = 0; key < 13; ++key)
        values[key] = 0;
    while ((key = next_key(r, &m)) >= 0)
        values[key] =
            key == 0 ? read_type(r) : read_number(r, keys[key], limits[key].low, limits[key].high);
    want_keys(r, &m, 3u << 11);
    a->data_type = (uint32_t)values[0];
    a->array_size = (uint32_t)values[1];
    a->dram0_depth = values[2];
    a->dram1_depth = values[3];
    a->local_depth = (uint32_t)values[4];
    a->accumulator_depth = (uint32_t)values[5];
    a->simd_registers_depth = (uint32_t)values[6];
    a->stride0_depth = (uint32_t)values[7];
    a->stride1_depth = (uint32_t)values[8];
    a->lut_tables = (uint32_t)values[11];
    a->lut_depth = (uint32_t)values[12];
}

static void read_program(struct reader* r, struct macrame_tcu_network* network) {
    static const char* const keys[] = {"file_name", "size", 0};
    struct members m = {keys, 0, 0};
    int key;
    while ((key = next_key(r, &m)) >= 0) {
        if (key == 0) {
            network->program_name = read_text(r);
        } else {
            network->program_bytes = read_number(r, "size", 0, (uint64_t)1 << 40);
        }
    }
    want_keys(r, &m, 0);
}

/* `name`: the key of it, "name" or "file_name". */
static void read_piece(struct reader* r, const char* name, struct macrame_tcu_piece* out) {
    const char* keys[4];
    struct members m;
    int key;
    keys[0] = name;
    keys[1] = "base";
    keys[2] = "size";
    keys[3] = 0;
    m.keys = keys;
    m.seen = 0;
    m.open = 0;
    out->name.text = "";
    out->name.bytes = 0;
    out->base = 0;
    out->vectors = 0;
    while ((key = next_key(r, &m)) >= 0) {
        if (key == 0) {
            out->name = read_text(r);
        } else {
            *(key == 1 ? &out->base : &out->vectors) =
                read_number(r, keys[key], 0, (uint64_t)1 << 32);
        }
    }
    want_keys(r, &m, 0);
}

static void read_constants(struct reader* r, struct macrame_tcu_network* network) {
    int open = 0, count = 0;
    for (; next_item(r, &open); ++count) {
        struct macrame_tcu_piece piece;
        read_piece(r, "file_name", &piece);
        network->constants_name = piece.name;
        network->constants_base = piece.base;
        network->constants_vectors = piece.vectors;
    }
    if (count != 1) mistake(r, MACRAME_TCU_BAD_MODEL, "consts", (uint64_t)count, 1);
}

/* Pieces of one name follow each other: they are one tensor. */
static uint32_t read_pieces(struct reader* r, size_t* start) {
    struct macrame_tcu_text last = {0, 0};
    uint32_t count = 0;
    int open = 0;
    *start = (peek(r), r->at);
    while (next_item(r, &open)) {
        struct macrame_tcu_piece piece;
        read_piece(r, "name", &piece);
        if (!last.text || !macrame_tcu_same_text(&last, &piece.name)) ++count;
        last = piece.name;
    }
    return count;
}

static void read_model(struct reader* r, struct macrame_tcu_network* network) {
    static const char* const keys[] = {
        "name", "prog", "consts", "inputs", "outputs", "arch", "load_consts_to_local", 0};
    struct members m = {keys, 0, 0};
    int key;
    while ((key = next_key(r, &m)) >= 0) {
        switch (key) {
            case 0:
                network->name = read_text(r);
                break;
            case 1:
                read_program(r, network);
                break;
            case 2:
                read_constants(r, network);
                break;
            case 3:
                network->input_count = read_pieces(r, &network->inputs_at);
                break;
            case 4:
                network->output_count = read_pieces(r, &network->outputs_at);
                break;
            case 5:
                read_architecture(r, &network->architecture);
                break;
            default:
                network->constants_to_local = read_boolean(r, keys[6]);
                break;
        }
    }
    want_keys(r, &m, 1u << 6);
    if (r->error == MACRAME_TCU_OK && (peek(r), r->at < r->bytes))
        mistake(r, MACRAME_TCU_BAD_JSON, "the end of the file", 0, 0);
}

/* ------------------------------------------------------------------ tensors */

int macrame_tcu_next_piece(struct macrame_tcu_pieces* pieces, struct macrame_tcu_piece* out) {
    struct macrame_tcu_problem none;
    struct reader r = {pieces->network->json, pieces->at, pieces->network->json_bytes, &none,
                       MACRAME_TCU_OK};
    /* Stands at "[", "," or "]". */
    const char c = peek(&r);
    if (r.at == r.bytes || c == ']') return 0;
    ++r.at;
    if (peek(&r) == ']') return 0;
    read_piece(&r, "name", out);
    pieces->at = r.at;
    return r.error == MACRAME_TCU_OK;
}

static int check_pieces(struct macrame_tcu_network* network, size_t start, const char* what) {
    const uint64_t depth = network->architecture.dram0_depth;
    struct macrame_tcu_pieces pieces;
    struct macrame_tcu_piece piece;
    pieces.network = network;
    pieces.at = start;
    while (macrame_tcu_next_piece(&pieces, &piece)) {
        const uint64_t end = piece.base + piece.vectors;
        if (end > depth)
            return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_MODEL, what, pieces.at, end,
                                    depth);
        if (end > network->dram0_vectors) network->dram0_vectors = end;
    }
    return MACRAME_TCU_OK;
}

static int check_model(struct macrame_tcu_network* network) {
    const struct macrame_tcu_architecture* a = &network->architecture;
    const uint64_t end = network->constants_base + network->constants_vectors;
    const uint64_t depth = network->constants_to_local && a->local_depth < a->dram1_depth
                               ? a->local_depth
                               : a->dram1_depth;
    int error;
    if (end > depth)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_MODEL, "consts", 0, end, depth);
    if (a->lut_tables != 0 && a->lut_depth == 0)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_MODEL, "lut_depth", 0, 0, 1);
    network->dram1_vectors = end;
    error = check_pieces(network, network->inputs_at, "inputs");
    if (error == MACRAME_TCU_OK) error = check_pieces(network, network->outputs_at, "outputs");
    return error;
}

int macrame_tcu_open(struct macrame_tcu_network* network, const char* json, size_t bytes) {
    static const uint32_t scalar_bytes[] = {1, 2, 4, 4};
    static const char* const kMissing = "network, json";
    uint8_t* clear = (uint8_t*)network;
    struct reader r;
    size_t i;
    if (!network) return MACRAME_TCU_BAD_ARGUMENT;
    for (i = 0; i < sizeof *network; ++i)
        clear[i] = 0;
    if (!json)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_ARGUMENT, kMissing, 0, 0, 0);
    r.text = json;
    r.at = 0;
    r.bytes = bytes;
    r.problem = &network->problem;
    r.error = MACRAME_TCU_OK;
    network->json = json;
    network->json_bytes = bytes;
    read_model(&r, network);
    if (r.error == MACRAME_TCU_OK) {
        network->scalar_bytes = scalar_bytes[network->architecture.data_type];
        network->vector_bytes = network->scalar_bytes * network->architecture.array_size;
        macrame_tcu_layout_of(&network->architecture, &network->layout);
        r.error = check_model(network);
    }
    /* Who forgets to look at the result gets refusals. */
    if (r.error != MACRAME_TCU_OK) network->json = 0;
    return r.error;
}

int macrame_tcu_attach(struct macrame_tcu_network* network, const void* program,
                       uint64_t program_bytes, const void* constants, uint64_t constants_bytes) {
    uint64_t wanted;
    int error;
    if (!network) return MACRAME_TCU_BAD_ARGUMENT;
    if (!network->json || (!program && program_bytes != 0) || (!constants && constants_bytes != 0))
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_BAD_ARGUMENT,
                                "network, program, constants", 0, 0, 0);
    wanted = network->program_bytes;
    if (program_bytes != wanted)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_PROGRAM_SIZE, "bytes", 0,
                                program_bytes, wanted);
    wanted -= wanted % network->layout.bytes;
    if (program_bytes != wanted)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_PROGRAM_SIZE,
                                "bytes of whole instructions", 0, program_bytes, wanted);
    wanted = network->constants_vectors * network->vector_bytes;
    if (constants_bytes != wanted)
        return macrame_tcu_fail(&network->problem, MACRAME_TCU_CONSTANTS_SIZE, "bytes", 0,
                                constants_bytes, wanted);
    network->program = (const uint8_t*)program;
    network->constants = (const uint8_t*)constants;
    error = macrame_tcu_scan(network);
    if (error != MACRAME_TCU_OK) network->program = 0;
    return error;
}
