#define _POSIX_C_SOURCE 200809L

#include "macrame_device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verif/common/run/device_wire.h"

struct macrame_device {
    int socket;
    pid_t program;
    int failed;
};

/* Sends or receives all bytes; 0 if the other end is gone. */
static int send_all(struct macrame_device* device, const void* from, size_t bytes) {
    const char* at = from;
    while (bytes > 0 && !device->failed) {
        const ssize_t n = send(device->socket, at, bytes, MSG_NOSIGNAL);
        if (n > 0) {
            at += n;
            bytes -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            device->failed = 1;
        }
    }
    return !device->failed;
}

static int receive_all(struct macrame_device* device, void* to, size_t bytes) {
    char* at = to;
    while (bytes > 0 && !device->failed) {
        const ssize_t n = recv(device->socket, at, bytes, 0);
        if (n > 0) {
            at += n;
            bytes -= (size_t)n;
        } else if (n == 0 || errno != EINTR) {
            device->failed = 1;
        }
    }
    return !device->failed;
}

static void ask(struct macrame_device* device, enum macrame_wire_op op, uint32_t port,
                uint64_t address, uint64_t value) {
    struct macrame_wire_request request;
    memset(&request, 0, sizeof request);
    request.op = (uint32_t)op;
    request.port = port;
    request.address = address;
    request.value = value;
    send_all(device, &request, sizeof request);
}

static uint64_t answer(struct macrame_device* device) {
    uint64_t value = 0;
    return receive_all(device, &value, sizeof value) ? value : 0;
}

/* The program with its arguments; does not return. What it prints goes to standard error. */
static void become(const char* configuration, enum macrame_device_kind kind, int socket) {
    enum { MOST = 256 };
    const char* program = getenv("MACRAME");
    char number[16];
    char* text = malloc(strlen(configuration) + 1);
    const char* arguments[MOST + 6];
    int count = 0;
    char* word;
    if (text == NULL) _exit(127);
    if (program == NULL || *program == '\0') program = "macrame";
    strcpy(text, configuration);
    snprintf(number, sizeof number, "%d", socket);
    arguments[count++] = program;
    arguments[count++] = "simulate";
    for (word = strtok(text, " \t\n"); word != NULL; word = strtok(NULL, " \t\n")) {
        if (count == MOST) {
            fprintf(stderr, "macrame_device_create: more than %d words\n", MOST - 2);
            _exit(127);
        }
        arguments[count++] = word;
    }
    arguments[count++] = "--serve";
    arguments[count++] = number;
    if (kind == MACRAME_DEVICE_MODEL) arguments[count++] = "--model";
    arguments[count] = NULL;
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(program, (char* const*)arguments);
    fprintf(stderr, "macrame_device_create: %s: cannot run: %s\n", program, strerror(errno));
    _exit(127);
}

struct macrame_device* macrame_device_create(const char* configuration,
                                             enum macrame_device_kind kind) {
    int sockets[2];
    struct macrame_device* device = malloc(sizeof *device);
    if (device == NULL) return NULL;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
        fprintf(stderr, "macrame_device_create: socketpair: %s\n", strerror(errno));
        free(device);
        return NULL;
    }
    fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
    fflush(NULL);
    device->socket = sockets[0];
    device->failed = 0;
    device->program = fork();
    if (device->program == 0) become(configuration, kind, sockets[1]);
    close(sockets[1]);
    if (device->program < 0) fprintf(stderr, "macrame_device_create: fork: %s\n", strerror(errno));
    if (device->program < 0 || answer(device) != MACRAME_WIRE_HELLO) {
        macrame_device_destroy(device);
        return NULL;
    }
    return device;
}

int macrame_device_destroy(struct macrame_device* device) {
    int status = 0;
    int failed = 0;
    if (device == NULL) return 0;
    close(device->socket);
    failed = device->failed;
    if (device->program > 0) {
        while (waitpid(device->program, &status, 0) < 0 && errno == EINTR) {
        }
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) failed = 1;
    }
    free(device);
    return failed;
}

void macrame_device_reset(struct macrame_device* device) {
    ask(device, MACRAME_WIRE_RESET, 0, 0, 0);
}

uint32_t macrame_device_read(struct macrame_device* device, uint32_t address) {
    ask(device, MACRAME_WIRE_READ, 0, address, 0);
    return (uint32_t)answer(device);
}

void macrame_device_write(struct macrame_device* device, uint32_t address, uint32_t value) {
    ask(device, MACRAME_WIRE_WRITE, 0, address, value);
}

void macrame_device_memory_read(struct macrame_device* device, enum macrame_device_port port,
                                uint64_t address, void* to, size_t bytes) {
    memset(to, 0, bytes);
    ask(device, MACRAME_WIRE_MEMORY_READ, (uint32_t)port, address, bytes);
    answer(device);
    receive_all(device, to, bytes);
}

void macrame_device_memory_write(struct macrame_device* device, enum macrame_device_port port,
                                 uint64_t address, const void* from, size_t bytes) {
    ask(device, MACRAME_WIRE_MEMORY_WRITE, (uint32_t)port, address, bytes);
    send_all(device, from, bytes);
}

int macrame_device_wait(struct macrame_device* device, uint64_t cycles) {
    ask(device, MACRAME_WIRE_WAIT, 0, 0, cycles);
    return answer(device) != 0;
}

uint64_t macrame_device_cycles(struct macrame_device* device) {
    ask(device, MACRAME_WIRE_CYCLES, 0, 0, 0);
    return answer(device);
}

uint32_t macrame_device_identity(struct macrame_device* device) {
    ask(device, MACRAME_WIRE_IDENTITY, 0, 0, 0);
    return (uint32_t)answer(device);
}

int macrame_device_error(const struct macrame_device* device) { return device->failed; }
