#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include "macrame_linux.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PATH_BYTES = 256, NAME_BYTES = 64 };

/* One of the two: what `names` says where it is. */
struct place {
    char node[PATH_BYTES]; /* file in /dev */
    uint64_t offset;       /* in the file, whole pages */
    uint32_t front;        /* from there */
    uint64_t bytes;
    uint64_t address; /* for the accelerator */
    int is_memory;    /* /dev/mem: others have other ranges of it */
};

static int fail(struct macrame_linux* device, const char* format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(device->error, sizeof device->error, format, list);
    va_end(list);
    return -1;
}

/* ------------------------------------------------------------------ the machine */

static volatile uint32_t* register_at(struct macrame_linux* device, uint32_t address) {
    if (address % 4 != 0 || (uint64_t)address + 4 > device->register_bytes) {
        if (device->outside == 0) device->outside = (uint64_t)address + 1;
        return NULL;
    }
    return (volatile uint32_t*)(void*)(device->registers.at + device->registers.front + address);
}

static uint32_t read_register(void* user, uint32_t address) {
    const volatile uint32_t* at = register_at(user, address);
    return at ? macrame_linux_load(at) : 0;
}

static void write_register(void* user, uint32_t address, uint32_t value) {
    volatile uint32_t* at = register_at(user, address);
    if (at) macrame_linux_store(at, value);
}

static int wait_for_interrupt(void* user, uint32_t timeout_ms) {
    struct macrame_linux* device = user;
    const int came = macrame_linux_wait(device->registers.file, timeout_ms);
    if (came < 0) fail(device, "the UIO device fails: %s", strerror(errno));
    return came;
}

static void sync_buffer(void* user, uint64_t offset, uint64_t bytes, int to_device) {
    macrame_linux_sync(&((struct macrame_linux*)user)->machine, offset, bytes, to_device);
}

/* ------------------------------------------------------------------ where things are */

/* The first line of a file of /sys; 0: there is none. */
static int read_line(const char* path, char* line, int bytes) {
    FILE* file = fopen(path, "r");
    int there;
    if (!file) return 0;
    there = fgets(line, bytes, file) != NULL;
    fclose(file);
    if (there) line[strcspn(line, "\n")] = '\0';
    return there;
}

/* A number at the start of a text, as C writes it; *end: behind it. */
static int read_number(const char* text, uint64_t* value, const char** end) {
    int used = 0;
    if (sscanf(text, "%" SCNi64 "%n", (int64_t*)value, &used) != 1) return 0;
    *end = text + used;
    return 1;
}

static int number_of(struct macrame_linux* device, const char* folder, const char* name,
                     uint64_t* value) {
    char path[2 * PATH_BYTES], line[NAME_BYTES];
    const char* end;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!read_line(path, line, sizeof line))
        return fail(device, "%s: %s", path, strerror(errno ? errno : EIO));
    if (!read_number(line, value, &end) || *end != '\0')
        return fail(device, "%s is \"%s\": want a number", path, line);
    return 0;
}

/* "mem:ADDRESS:BYTES" behind its colon. */
static int memory_place(struct macrame_linux* device, const char* root, const char* text,
                        struct place* out) {
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    const char* end = text;
    if (!read_number(text, &out->address, &end) || *end != ':' ||
        !read_number(end + 1, &out->bytes, &end) || *end != '\0' || out->bytes == 0)
        return fail(device, "mem:%s: want mem:ADDRESS:BYTES", text);
    if (out->address % page != 0)
        return fail(device, "mem:%s: want an address that is a multiple of %" PRIu64, text, page);
    snprintf(out->node, sizeof out->node, "%s/dev/mem", root);
    out->offset = out->address;
    out->is_memory = 1;
    return 0;
}

/* A map of a UIO device: number N of them begins at page N of its file. */
static int map_place(struct macrame_linux* device, const char* root, const char* uio, uint32_t map,
                     struct place* out) {
    char folder[PATH_BYTES];
    uint64_t front = 0;
    snprintf(folder, sizeof folder, "%s/sys/class/uio/%s/maps/map%" PRIu32, root, uio, map);
    if (number_of(device, folder, "addr", &out->address) != 0 ||
        number_of(device, folder, "size", &out->bytes) != 0 ||
        number_of(device, folder, "offset", &front) != 0)
        return -1;
    snprintf(out->node, sizeof out->node, "%s/dev/%s", root, uio);
    out->offset = (uint64_t)map * (uint64_t)sysconf(_SC_PAGESIZE);
    out->front = (uint32_t)front;
    return 0;
}

/* "uioN", by its number or by the name that the kernel has for it. */
static int find_uio(struct macrame_linux* device, const char* root, const char* name, char* uio) {
    char folder[PATH_BYTES], path[2 * PATH_BYTES], line[NAME_BYTES];
    int found = 0;
    struct dirent* entry;
    DIR* list;
    snprintf(folder, sizeof folder, "%s/sys/class/uio", root);
    list = opendir(folder);
    if (!list) return fail(device, "%s: %s: is uio_pdrv_genirq loaded?", folder, strerror(errno));
    while ((entry = readdir(list)) != NULL) {
        int same = strcmp(entry->d_name, name) == 0;
        if (entry->d_name[0] == '.' || strlen(entry->d_name) >= NAME_BYTES) continue;
        snprintf(path, sizeof path, "%s/%s/name", folder, entry->d_name);
        if (!same) same = read_line(path, line, sizeof line) && strcmp(line, name) == 0;
        if (same && found++ == 0) strcpy(uio, entry->d_name);
    }
    closedir(list);
    if (found == 0) return fail(device, "%s has no %s", folder, name);
    if (found > 1) return fail(device, "%s has %d of name %s: want a number", folder, found, name);
    return 0;
}

/* A buffer of u-dma-buf, whose class had another name before Linux 5. */
static int buffer_place(struct macrame_linux* device, const char* root, const char* name,
                        struct place* out) {
    char folder[PATH_BYTES];
    snprintf(folder, sizeof folder, "%s/sys/class/u-dma-buf/%s", root, name);
    if (access(folder, F_OK) != 0) {
        snprintf(folder, sizeof folder, "%s/sys/class/udmabuf/%s", root, name);
        if (access(folder, F_OK) != 0)
            return fail(device, "%s/sys/class/u-dma-buf has no %s: is u-dma-buf loaded?", root,
                        name);
    }
    if (number_of(device, folder, "phys_addr", &out->address) != 0 ||
        number_of(device, folder, "size", &out->bytes) != 0)
        return -1;
    snprintf(out->node, sizeof out->node, "%s/dev/%s", root, name);
    return 0;
}

static int find_places(struct macrame_linux* device, const struct macrame_linux_names* names,
                       struct place* registers, struct place* buffer) {
    const char* root = names->root ? names->root : "";
    char uio[NAME_BYTES] = "";
    if (strlen(root) + strlen(names->registers) + strlen(names->buffer) > PATH_BYTES - NAME_BYTES)
        return fail(device, "want shorter names");
    if (strncmp(names->registers, "mem:", 4) == 0) {
        if (memory_place(device, root, names->registers + 4, registers) != 0) return -1;
    } else if (find_uio(device, root, names->registers, uio) != 0 ||
               map_place(device, root, uio, 0, registers) != 0) {
        return -1;
    }
    if (strncmp(names->buffer, "mem:", 4) == 0)
        return memory_place(device, root, names->buffer + 4, buffer);
    if (strncmp(names->buffer, "map", 3) == 0 && uio[0]) {
        uint64_t map;
        const char* end;
        if (!read_number(names->buffer + 3, &map, &end) || *end != '\0' || map == 0 || map > 4)
            return fail(device, "%s: want map1 to map4", names->buffer);
        return map_place(device, root, uio, (uint32_t)map, buffer);
    }
    return buffer_place(device, root, names->buffer, buffer);
}

/* ------------------------------------------------------------------ open and close */

/* A lock of the open file, so that it ends with the process. */
static int lock(struct macrame_linux* device, int file, const struct place* place) {
    struct flock range;
    memset(&range, 0, sizeof range);
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = place->is_memory ? (off_t)place->offset : 0;
    range.l_len = place->is_memory ? (off_t)place->bytes : 0;
    if (fcntl(file, F_OFD_SETLK, &range) == 0) return 0;
    if (errno == EAGAIN || errno == EACCES)
        return fail(device, "%s is in use by another process", place->node);
    return fail(device, "%s: cannot be locked: %s", place->node, strerror(errno));
}

static int open_place(struct macrame_linux* device, const struct place* place, int file,
                      struct macrame_linux_map* out) {
    void* at;
    if (place->front + place->bytes > SIZE_MAX)
        return fail(device, "%s: %" PRIu64 " bytes cannot be mapped", place->node, place->bytes);
    if (file < 0) {
        file = open(place->node, O_RDWR | O_SYNC | O_CLOEXEC); /* O_SYNC: uncached */
        if (file < 0) return fail(device, "%s: %s", place->node, strerror(errno));
        out->file = file;
        if (lock(device, file, place) != 0) return -1;
    }
    out->front = place->front;
    out->bytes = (size_t)(place->front + place->bytes);
    at = mmap(NULL, out->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)place->offset);
    if (at == MAP_FAILED)
        return fail(device, "%s: cannot be mapped: %s", place->node, strerror(errno));
    out->at = at;
    return 0;
}

static void fill_machine(struct macrame_linux* device, const struct place* buffer) {
    struct macrame_machine* machine = &device->machine;
    machine->user = device;
    machine->read = read_register;
    machine->write = write_register;
    machine->wait = device->has_interrupt ? wait_for_interrupt : NULL;
    machine->sync = sync_buffer;
    machine->memory = device->buffer.at + device->buffer.front;
    machine->device_address = buffer->address;
    machine->memory_bytes = buffer->bytes;
}

static int open_all(struct macrame_linux* device, const struct macrame_linux_names* names,
                    uint64_t bytes) {
    struct place registers, buffer;
    int shared;
    memset(&registers, 0, sizeof registers);
    memset(&buffer, 0, sizeof buffer);
    if (find_places(device, names, &registers, &buffer) != 0) return -1;
    if (buffer.bytes < bytes)
        return fail(device, "%s has %" PRIu64 " bytes: want at least %" PRIu64, names->buffer,
                    buffer.bytes, bytes);
    if (open_place(device, &registers, -1, &device->registers) != 0) return -1;
    shared = !buffer.is_memory && strcmp(registers.node, buffer.node) == 0;
    if (open_place(device, &buffer, shared ? device->registers.file : -1, &device->buffer) != 0)
        return -1;
    device->register_bytes = registers.bytes;
    device->has_interrupt = !registers.is_memory;
    fill_machine(device, &buffer);
    return 0;
}

int macrame_linux_open(struct macrame_linux* device, const struct macrame_linux_names* names,
                       uint64_t bytes) {
    memset(device, 0, sizeof *device);
    device->registers.file = device->buffer.file = -1;
    if (open_all(device, names, bytes) == 0) return 0;
    macrame_linux_close(device);
    return -1;
}

static void close_map(struct macrame_linux_map* map) {
    if (map->at) munmap(map->at, map->bytes);
    if (map->file >= 0) close(map->file);
    map->at = NULL;
    map->file = -1;
}

void macrame_linux_close(struct macrame_linux* device) {
    close_map(&device->buffer);
    close_map(&device->registers);
}
