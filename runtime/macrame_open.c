/* Program files: checked once, then read in place. */
#include "macrame_internal.h"

/* CRC-32 of zlib, four bits at a time. */
static uint32_t checksum(uint32_t crc, const uint8_t* bytes, size_t count) {
    static const uint32_t table[16] = {0x00000000u, 0x1db71064u, 0x3b6e20c8u, 0x26d930acu,
                                       0x76dc4190u, 0x6b6b51f4u, 0x4db26158u, 0x5005713cu,
                                       0xedb88320u, 0xf00f9344u, 0xd6d6a3e8u, 0xcb61b38cu,
                                       0x9b64c2b0u, 0x86d3d2d4u, 0xa00ae278u, 0xbdbdf21cu};
    size_t i;
    for (i = 0; i < count; ++i) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15u];
        crc = crc >> 4 ^ table[crc & 15u];
    }
    return crc;
}

/* a * b in *out; 0 if it does not fit. */
static int multiply(uint64_t a, uint32_t b, uint64_t* out) {
    const uint64_t low = (a & 0xffffffffu) * b, high = (a >> 32) * b;
    if (high >> 32 != 0) return 0;
    *out = (high << 32) + low;
    return *out >= low;
}

/* Takes `steps` strides from what is left of the memory; 0 if it is not enough. */
static int take(uint64_t* left, uint32_t steps, uint32_t stride) {
    const uint64_t bytes = (uint64_t)steps * stride;
    if (bytes > *left) return 0;
    *left -= bytes;
    return 1;
}

int macrame_complete_tensor(struct macrame_tensor* tensor, uint64_t memory_bytes) {
    static const uint8_t element_bytes[] = {1, 1, 2, 4, 4};
    uint64_t left, with_filler = 0;
    uint32_t surfaces;
    if (tensor->element > MACRAME_FLOAT32) return MACRAME_BAD_TENSOR;
    tensor->element_bytes = element_bytes[tensor->element];
    if (tensor->height == 0 || tensor->width == 0 || tensor->channels == 0 || tensor->group == 0)
        return MACRAME_BAD_TENSOR;
    if (tensor->element == MACRAME_FLOAT32 && tensor->filler != 0) return MACRAME_BAD_TENSOR;
    surfaces = (tensor->channels - 1) / tensor->group + 1;
    if (!multiply((uint64_t)tensor->height * tensor->width, surfaces, &with_filler) ||
        !multiply(with_filler, tensor->group, &with_filler) ||
        !multiply(with_filler, tensor->element_bytes, &with_filler) || with_filler > memory_bytes ||
        tensor->offset > memory_bytes)
        return MACRAME_BAD_TENSOR;
    tensor->bytes =
        (uint64_t)tensor->height * tensor->width * tensor->channels * tensor->element_bytes;
    left = memory_bytes - tensor->offset;
    if (!take(&left, surfaces - 1, tensor->surface_stride) ||
        !take(&left, tensor->height - 1, tensor->line_stride) ||
        !take(&left, tensor->width - 1, tensor->pixel_stride) ||
        !take(&left, tensor->group, tensor->element_bytes))
        return MACRAME_BAD_TENSOR;
    tensor->span = memory_bytes - tensor->offset - left;
    return MACRAME_OK;
}

/* A name, or null if it is not within the strings. */
static const char* name_at(const struct macrame_program* program, uint32_t place,
                           uint64_t strings) {
    return place < strings ? (const char*)program->strings + place : (const char*)0;
}

static int get_tensor(const struct macrame_program* program, uint32_t number,
                      struct macrame_tensor* out) {
    const uint8_t* at = program->tensors + (size_t)number * TENSOR_BYTES;
    union {
        uint32_t bits;
        float number;
    } scale;
    scale.bits = get32(at + 44);
    out->name = (const char*)program->strings + get32(at);
    out->element = at[4];
    out->filler = at[5] < 128 ? (int32_t)at[5] : (int32_t)at[5] - 256;
    out->height = get32(at + 8);
    out->width = get32(at + 12);
    out->channels = get32(at + 16);
    out->group = get32(at + 20);
    out->offset = get64(at + 24);
    out->surface_stride = get32(at + 32);
    out->line_stride = get32(at + 36);
    out->pixel_stride = get32(at + 40);
    out->scale = scale.number;
    out->zero_point = (int32_t)get32(at + 48);
    return macrame_complete_tensor(out, program->memory_bytes);
}

static size_t header_bytes(const uint8_t* file) {
    if (file[7] == '1') return HEADER_BYTES;
    return file[7] == '2' ? HEADER_BYTES_2 : HEADER_BYTES_3;
}

static int check_magic(const uint8_t* file, size_t bytes) {
    static const uint8_t magic[7] = {'M', 'A', 'C', 'R', 'P', 'R', 'G'};
    int i;
    for (i = 0; i < 7; ++i) {
        if (bytes <= (size_t)i) return MACRAME_BAD_SIZE;
        if (file[i] != magic[i]) return MACRAME_NOT_A_PROGRAM;
    }
    if (bytes <= 7) return MACRAME_BAD_SIZE;
    return file[7] >= '1' && file[7] <= '3' ? MACRAME_OK : MACRAME_NOT_A_PROGRAM;
}

static int check_header(const uint8_t* file, size_t bytes) {
    static const uint8_t record_bytes[SECTION_COUNT] = {
        COMMAND_BYTES, SEGMENT_BYTES, TENSOR_BYTES, LAYER_BYTES, 1, 1};
    static const uint8_t zeros[4] = {0, 0, 0, 0};
    const uint8_t* row = file + SECTIONS;
    uint64_t end;
    uint32_t crc;
    int i = check_magic(file, bytes);
    if (i != MACRAME_OK) return i;
    if (bytes < HEADER_BYTES || get64(file + FILE_BYTES) != bytes) return MACRAME_BAD_SIZE;
    end = header_bytes(file);
    if (bytes < end || get32(file + HEADER_SIZE) != end || get32(file + RESERVED) != 0)
        return MACRAME_BAD_HEADER;
    if (end != HEADER_BYTES && get32(file + RESERVED_2) != 0) return MACRAME_BAD_HEADER;
    if (end == HEADER_BYTES_3) {
        const uint64_t networks = get64(file + NETWORKS + 8);
        if (get64(file + NETWORKS) != end || networks >> 32 != 0 ||
            networks > (bytes - end) / NETWORK_BYTES)
            return MACRAME_BAD_HEADER;
        end += networks * NETWORK_BYTES;
    }
    for (i = 0; i < SECTION_COUNT; ++i, row += SECTION_BYTES) {
        const uint64_t count = get64(row + 8);
        uint64_t size = 0;
        if (end > bytes || get64(row) != end) return MACRAME_BAD_HEADER;
        if (!multiply(count, record_bytes[i], &size) || size > bytes - end)
            return MACRAME_BAD_HEADER;
        if (i != DATA && count >> 32 != 0) return MACRAME_BAD_HEADER;
        end = (end + size + 7) & ~(uint64_t)7;
    }
    if (end != bytes) return MACRAME_BAD_HEADER;
    crc = checksum(0xffffffffu, file, CHECKSUM);
    crc = checksum(crc, zeros, 4);
    crc = ~checksum(crc, file + CHECKSUM + 4, bytes - CHECKSUM - 4);
    return crc == get32(file + CHECKSUM) ? MACRAME_OK : MACRAME_BAD_CHECKSUM;
}

static uint64_t count_of(const uint8_t* file, int section) {
    return get64(file + SECTIONS + SECTION_BYTES * section + 8);
}

static const uint8_t* start_of(const uint8_t* file, int section) {
    return file + (size_t)get64(file + SECTIONS + SECTION_BYTES * section);
}

/* One of those in front of all other commands; of its causes two, one beside the other, or none. */
static int check_unit(const struct macrame_program* program, uint32_t number,
                      const struct macrame_command* command) {
    uint32_t causes = command->value;
    if (header_bytes(program->file) != HEADER_BYTES_3 || number >= MOST_UNITS ||
        command->aux % 4 != 0)
        return MACRAME_BAD_COMMAND;
    if (number != 0 &&
        get16(program->commands + (size_t)(number - 1) * COMMAND_BYTES) != MACRAME_UNIT)
        return MACRAME_BAD_COMMAND;
    while (causes != 0 && (causes & 1) == 0)
        causes >>= 1;
    return causes == 0 || causes == 3 ? MACRAME_OK : MACRAME_BAD_COMMAND;
}

static int check_command(const struct macrame_program* program, uint32_t number,
                         const struct macrame_command* command) {
    switch (command->code) {
        case MACRAME_UNIT:
            if (check_unit(program, number, command) != MACRAME_OK) return MACRAME_BAD_COMMAND;
            break;
        case MACRAME_WRITE_LOW:
        case MACRAME_WRITE_HIGH:
            if (((uint64_t)command->aux << 32 | command->value) > program->memory_bytes)
                return MACRAME_BAD_COMMAND;
            break;
        case MACRAME_POLL:
            if ((command->value & ~command->aux) != 0) return MACRAME_BAD_COMMAND;
            break;
        case MACRAME_BEGIN_LAYER:
            return command->value < program->layer_count ? MACRAME_OK : MACRAME_BAD_COMMAND;
        case MACRAME_WRITE:
            break;
        case MACRAME_WAIT:
        case MACRAME_HOST:
            return MACRAME_OK;
        default:
            return MACRAME_BAD_COMMAND;
    }
    return command->address % 4 == 0 ? MACRAME_OK : MACRAME_BAD_COMMAND;
}

static int check_commands(struct macrame_program* program) {
    struct macrame_command command;
    uint32_t i;
    for (i = 0; i < program->command_count; ++i) {
        const uint8_t* at = program->commands + (size_t)i * COMMAND_BYTES;
        if (get16(at + 2) != 0) return MACRAME_BAD_COMMAND;
        if (macrame_get_command(program, i, &command) != MACRAME_OK ||
            check_command(program, i, &command) != MACRAME_OK)
            return MACRAME_BAD_COMMAND;
        if (command.code == MACRAME_WAIT) program->uses_interrupts = 1;
    }
    return MACRAME_OK;
}

/* Contents lie one behind the other in the last section and fill it. */
static int check_segments(const struct macrame_program* program, uint64_t place, uint64_t end) {
    uint32_t i;
    for (i = 0; i < program->segment_count; ++i) {
        const uint8_t* at = program->segments + (size_t)i * SEGMENT_BYTES;
        const uint64_t offset = get64(at), bytes = get64(at + 8);
        if (get64(at + 16) != place || bytes > end - place) return MACRAME_BAD_SEGMENT;
        if (offset > program->memory_bytes || bytes > program->memory_bytes - offset)
            return MACRAME_BAD_SEGMENT;
        place = (place + bytes + 7) & ~(uint64_t)7;
    }
    return place == end ? MACRAME_OK : MACRAME_BAD_SEGMENT;
}

/* A number above 0 that is not infinite. */
static int is_scale(uint32_t bits) { return bits != 0 && bits < 0x7f800000u; }

static int check_tensors(const struct macrame_program* program, uint64_t strings) {
    const uint32_t count = program->input_count + program->output_count;
    struct macrame_tensor tensor;
    uint32_t i;
    for (i = 0; i < count; ++i) {
        const uint8_t* at = program->tensors + (size_t)i * TENSOR_BYTES;
        if (get16(at + 6) != 0 || get32(at + 52) != 0 || !is_scale(get32(at + 44)))
            return MACRAME_BAD_TENSOR;
        if (!name_at(program, get32(at), strings)) return MACRAME_BAD_STRING;
        if (get_tensor(program, i, &tensor) != MACRAME_OK) return MACRAME_BAD_TENSOR;
    }
    return MACRAME_OK;
}

static int check_layers(const struct macrame_program* program, uint64_t strings) {
    uint32_t i;
    for (i = 0; i < program->layer_count; ++i) {
        const uint8_t* at = program->layers + (size_t)i * LAYER_BYTES;
        if (get32(at + 20) != 0) return MACRAME_BAD_LAYER;
        if (!name_at(program, get32(at + 16), strings)) return MACRAME_BAD_STRING;
    }
    return MACRAME_OK;
}

/* Commands, tensors and layers of the network that is selected. */
static int check_network(struct macrame_program* program, uint64_t strings) {
    int error = check_commands(program);
    if (error == MACRAME_OK) error = check_tensors(program, strings);
    return error == MACRAME_OK ? check_layers(program, strings) : error;
}

static const uint8_t* network_at(const struct macrame_program* program, uint32_t number) {
    return program->networks + (size_t)number * NETWORK_BYTES;
}

static int is_name(const char* a, const char* b) {
    while (*a && *a == *b) {
        ++a;
        ++b;
    }
    return *a == *b;
}

/* Records of the sections that networks have numbers of. */
enum { NET_COMMANDS, NET_SEGMENTS, NET_LAYERS, NET_INPUTS, NET_OUTPUTS, NET_COUNT };

/* Takes what this network has from the front of `left`, what the sections hold; 0: that is less. */
static int take_network(const uint8_t* at, uint64_t* left) {
    int i;
    for (i = 0; i < NET_COUNT; ++i) {
        const uint32_t count = get32(at + NET_COUNTS + 4 * i);
        uint64_t* const of = &left[i == NET_OUTPUTS ? NET_INPUTS : i];
        if (count > *of) return 0;
        *of -= count;
    }
    return 1;
}

/* Sets what is of one network to what this one has; its records lie behind those of all before. */
static void select_network(struct macrame_program* program, uint32_t number) {
    const uint8_t* at;
    uint32_t i;
    size_t commands = 0, layers = 0, tensors = 0;
    for (i = 0; i < number; ++i) {
        at = network_at(program, i) + NET_COUNTS;
        commands += get32(at + 4 * NET_COMMANDS);
        layers += get32(at + 4 * NET_LAYERS);
        tensors += (size_t)get32(at + 4 * NET_INPUTS) + get32(at + 4 * NET_OUTPUTS);
    }
    program->commands = start_of(program->file, COMMANDS) + commands * COMMAND_BYTES;
    program->layers = start_of(program->file, LAYERS) + layers * LAYER_BYTES;
    program->tensors = start_of(program->file, TENSORS) + tensors * TENSOR_BYTES;
    at = network_at(program, number) + NET_COUNTS;
    program->command_count = get32(at + 4 * NET_COMMANDS);
    program->layer_count = get32(at + 4 * NET_LAYERS);
    program->input_count = get32(at + 4 * NET_INPUTS);
    program->output_count = get32(at + 4 * NET_OUTPUTS);
    at = network_at(program, number);
    program->name = (const char*)program->strings + get32(at + NET_NAME);
    program->network = (const char*)program->strings + get32(at + NET_FILE);
}

static void select_none(struct macrame_program* program) {
    program->command_count = program->layer_count = 0;
    program->input_count = program->output_count = 0;
    program->name = (const char*)0;
    program->network = "";
}

/* A name that no network in front of this one has. */
static int check_network_name(const struct macrame_program* program, uint32_t number,
                              uint64_t strings) {
    const uint8_t* at = network_at(program, number);
    const char* name = name_at(program, get32(at + NET_NAME), strings);
    uint32_t i;
    if (!name || !name_at(program, get32(at + NET_FILE), strings)) return MACRAME_BAD_STRING;
    if (*name == 0 || get32(at + NET_RESERVED) != 0) return MACRAME_BAD_HEADER;
    for (i = 0; i < number; ++i)
        if (is_name(name, macrame_network_name(program, i))) return MACRAME_BAD_HEADER;
    return MACRAME_OK;
}

/* Each network by itself; together they have all records. */
static int check_networks(struct macrame_program* program, uint64_t strings) {
    uint64_t left[NET_COUNT - 1];
    uint32_t i;
    left[NET_COMMANDS] = count_of(program->file, COMMANDS);
    left[NET_SEGMENTS] = count_of(program->file, SEGMENTS);
    left[NET_LAYERS] = count_of(program->file, LAYERS);
    left[NET_INPUTS] = count_of(program->file, TENSORS);
    if (get32(program->file + INPUTS) != 0 || get32(program->file + NETWORK) != 0)
        return MACRAME_BAD_HEADER;
    for (i = 0; i < program->network_count; ++i) {
        int error = check_network_name(program, i, strings);
        if (error == MACRAME_OK && !take_network(network_at(program, i), left))
            error = MACRAME_BAD_HEADER;
        if (error != MACRAME_OK) return error;
        select_network(program, i);
        error = check_network(program, strings);
        if (error != MACRAME_OK) return error;
    }
    select_none(program);
    for (i = 0; i < NET_COUNT - 1; ++i)
        if (left[i] != 0) return MACRAME_BAD_HEADER;
    return MACRAME_OK;
}

static int check_contents(struct macrame_program* program, size_t bytes) {
    const uint8_t* file = program->file;
    const uint64_t strings = count_of(file, STRINGS);
    const uint32_t alignment = program->alignment;
    int error;
    if (strings == 0 || program->strings[strings - 1] != 0) return MACRAME_BAD_STRING;
    if (get32(file + INPUTS) > count_of(file, TENSORS)) return MACRAME_BAD_HEADER;
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) return MACRAME_BAD_HEADER;
    if (program->interrupt_status % 4 != 0) return MACRAME_BAD_HEADER;
    program->family = name_at(program, get32(file + FAMILY), strings);
    program->configuration = name_at(program, get32(file + CONFIGURATION), strings);
    program->network = name_at(program, get32(file + NETWORK), strings);
    if (!program->family || !program->configuration || !program->network) return MACRAME_BAD_STRING;
    if (header_bytes(file) != HEADER_BYTES) {
        program->address_bits = get32(file + ADDRESS_BITS);
        program->identity_register = get32(file + IDENTITY_REGISTER);
        program->parameters = name_at(program, get32(file + PARAMETERS), strings);
    }
    if (program->address_bits > 64 || program->identity_register % 4 != 0)
        return MACRAME_BAD_HEADER;
    if (!program->parameters) return MACRAME_BAD_STRING;
    error = check_segments(program, (uint64_t)(start_of(file, DATA) - file), bytes);
    if (error != MACRAME_OK) return error;
    return program->networks ? check_networks(program, strings) : check_network(program, strings);
}

int macrame_open(struct macrame_program* program, const void* file, size_t bytes) {
    const uint8_t* at = (const uint8_t*)file;
    int error;
    if (!program || !file) return MACRAME_BAD_ARGUMENT;
    error = check_header(at, bytes);
    if (error != MACRAME_OK) return error;
    program->file = at;
    program->commands = start_of(at, COMMANDS);
    program->segments = start_of(at, SEGMENTS);
    program->tensors = start_of(at, TENSORS);
    program->layers = start_of(at, LAYERS);
    program->strings = start_of(at, STRINGS);
    program->command_count = (uint32_t)count_of(at, COMMANDS);
    program->segment_count = (uint32_t)count_of(at, SEGMENTS);
    program->layer_count = (uint32_t)count_of(at, LAYERS);
    program->input_count = get32(at + INPUTS);
    program->output_count = (uint32_t)count_of(at, TENSORS) - program->input_count;
    program->identity = get32(at + IDENTITY);
    program->alignment = get32(at + ALIGNMENT);
    program->interrupt_status = get32(at + INTERRUPT_STATUS);
    program->uses_interrupts = 0;
    program->memory_bytes = get64(at + MEMORY_BYTES);
    program->address_bits = program->identity_register = program->hardware = 0;
    program->parameters = "";
    program->networks = (const uint8_t*)0;
    program->network_count = 1;
    program->name = (const char*)0;
    if (header_bytes(at) == HEADER_BYTES_3 && get64(at + NETWORKS + 8) != 0) {
        program->networks = at + HEADER_BYTES_3;
        program->network_count = (uint32_t)get64(at + NETWORKS + 8);
    }
    error = check_contents(program, bytes);
    /* Who forgets to look at the result gets refusals, not accesses. */
    if (error != MACRAME_OK) program->file = (const uint8_t*)0;
    return error;
}

const char* macrame_network_name(const struct macrame_program* program, uint32_t number) {
    if (!program || !program->file || number >= program->network_count) return (const char*)0;
    if (!program->networks) return program->network;
    return (const char*)program->strings + get32(network_at(program, number) + NET_NAME);
}

int macrame_select(struct macrame_program* program, const char* name) {
    uint32_t i;
    if (!program || !program->file || !name) return MACRAME_BAD_ARGUMENT;
    for (i = 0; i < program->network_count; ++i) {
        if (!is_name(name, macrame_network_name(program, i))) continue;
        if (program->networks) select_network(program, i);
        return MACRAME_OK;
    }
    return MACRAME_NO_NETWORK;
}

/* Number of a tensor among `count` from `first` on; -1: none. */
static int32_t find_tensor(const struct macrame_program* program, const char* name, uint32_t first,
                           uint32_t count) {
    uint32_t i;
    for (i = 0; i < count; ++i) {
        const uint8_t* at = program->tensors + (size_t)(first + i) * TENSOR_BYTES;
        if (is_name(name, (const char*)program->strings + get32(at))) return (int32_t)i;
    }
    return -1;
}

int32_t macrame_find_input(const struct macrame_program* program, const char* name) {
    if (!program || !program->file || !name) return -1;
    return find_tensor(program, name, 0, program->input_count);
}

int32_t macrame_find_output(const struct macrame_program* program, const char* name) {
    if (!program || !program->file || !name) return -1;
    return find_tensor(program, name, program->input_count, program->output_count);
}

int macrame_get_input(const struct macrame_program* program, uint32_t number,
                      struct macrame_tensor* out) {
    if (!program || !program->file || !out || number >= program->input_count)
        return MACRAME_BAD_ARGUMENT;
    return get_tensor(program, number, out);
}

int macrame_get_output(const struct macrame_program* program, uint32_t number,
                       struct macrame_tensor* out) {
    if (!program || !program->file || !out || number >= program->output_count)
        return MACRAME_BAD_ARGUMENT;
    return get_tensor(program, program->input_count + number, out);
}

int macrame_get_layer(const struct macrame_program* program, uint32_t number,
                      struct macrame_layer* out) {
    const uint8_t* at;
    if (!program || !program->file || !out || number >= program->layer_count)
        return MACRAME_BAD_ARGUMENT;
    at = program->layers + (size_t)number * LAYER_BYTES;
    out->estimated_cycles = get64(at);
    out->macs = get64(at + 8);
    out->name = (const char*)program->strings + get32(at + 16);
    return MACRAME_OK;
}

int macrame_get_command(const struct macrame_program* program, uint32_t number,
                        struct macrame_command* out) {
    if (!program || !program->file || !out || number >= program->command_count)
        return MACRAME_BAD_ARGUMENT;
    get_record(program->commands + (size_t)number * COMMAND_BYTES, out);
    return MACRAME_OK;
}
