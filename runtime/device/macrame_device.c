#define _POSIX_C_SOURCE 200809L

#include "macrame_device.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
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
    int errors; /* standard error of the program; -1: it has closed it */
    char* text; /* that came from there, the last MOST_TEXT bytes; null: nothing yet */
    size_t bytes;
    int trimmed; /* the end of the last line is 0 */
};

enum { MOST_TEXT = 1 << 16 };

/* Of the last create that gave no device. */
static char* create_errors;

/* Memory that there is none of is no text. */
static void keep_text(struct macrame_device* device, const char* from, size_t bytes) {
    if (device->text == NULL) device->text = malloc(MOST_TEXT + 1);
    if (device->text == NULL) return;
    if (device->trimmed) device->text[device->bytes - 1] = '\n';
    device->trimmed = 0;
    if (device->bytes + bytes > MOST_TEXT) {
        const size_t more = device->bytes + bytes - MOST_TEXT;
        memmove(device->text, device->text + more, device->bytes - more);
        device->bytes -= more;
    }
    memcpy(device->text + device->bytes, from, bytes);
    device->bytes += bytes;
    device->text[device->bytes] = '\0';
}

/* Takes what the program has said, without waiting for more. */
static void take_errors(struct macrame_device* device) {
    char piece[4096];
    while (device->errors >= 0) {
        const ssize_t n = read(device->errors, piece, sizeof piece);
        if (n > 0) {
            fflush(stderr);
            fwrite(piece, 1, (size_t)n, stderr);
            keep_text(device, piece, (size_t)n);
        } else if (n < 0 && errno == EINTR) {
            continue;
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        } else {
            close(device->errors);
            device->errors = -1;
        }
    }
}

/* Waits until the socket is ready, or for so many milliseconds; the program may speak meanwhile. */
static void await(struct macrame_device* device, short events, int milliseconds) {
    struct pollfd ends[2];
    ends[0].fd = device->socket;
    ends[0].events = events;
    ends[1].fd = device->errors;
    ends[1].events = POLLIN;
    if (poll(ends, 2, milliseconds) > 0) take_errors(device);
}

/* The other end is gone; its last words come with it. */
static void fail(struct macrame_device* device) {
    int tries;
    device->failed = 1;
    shutdown(device->socket, SHUT_RDWR);
    for (tries = 0; tries < 100 && device->errors >= 0; ++tries) {
        struct pollfd end = {device->errors, POLLIN, 0};
        if (poll(&end, 1, 50) > 0) take_errors(device);
    }
}

/* Sends or receives all bytes; 0 if the other end is gone. */
static int send_all(struct macrame_device* device, const void* from, size_t bytes) {
    const char* at = from;
    while (bytes > 0 && !device->failed) {
        const ssize_t n = send(device->socket, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            at += n;
            bytes -= (size_t)n;
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            await(device, POLLOUT, -1);
        } else if (n == 0 || errno != EINTR) {
            fail(device);
        }
    }
    return !device->failed;
}

static int receive_all(struct macrame_device* device, void* to, size_t bytes) {
    char* at = to;
    while (bytes > 0 && !device->failed) {
        const ssize_t n = recv(device->socket, at, bytes, MSG_DONTWAIT);
        if (n > 0) {
            at += n;
            bytes -= (size_t)n;
        } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            await(device, POLLIN, -1);
        } else if (n == 0 || errno != EINTR) {
            fail(device);
        }
    }
    take_errors(device);
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

/* The program with its arguments; does not return. What it prints goes to standard error, its
 * errors to a pipe. */
static void become(const char* configuration, enum macrame_device_kind kind, int socket,
                   int errors) {
    enum { MOST = 256 };
    const char* program = getenv("MACRAME");
    char number[16];
    char* text = malloc(strlen(configuration) + 1);
    const char* arguments[MOST + 6];
    int count = 0;
    char* word;
    dup2(STDERR_FILENO, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close(errors);
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
    execvp(program, (char* const*)arguments);
    fprintf(stderr, "macrame_device_create: %s: cannot run: %s\n", program, strerror(errno));
    _exit(127);
}

/* A device whose program is not started; null after a mistake. */
static struct macrame_device* make(int* socket_end, int* errors_end) {
    int sockets[2], pipes[2];
    struct macrame_device* device = calloc(1, sizeof *device);
    if (device == NULL) return NULL;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) {
        fprintf(stderr, "macrame_device_create: socketpair: %s\n", strerror(errno));
        free(device);
        return NULL;
    }
    if (pipe(pipes) != 0) {
        fprintf(stderr, "macrame_device_create: pipe: %s\n", strerror(errno));
        close(sockets[0]);
        close(sockets[1]);
        free(device);
        return NULL;
    }
    fcntl(sockets[0], F_SETFD, FD_CLOEXEC);
    fcntl(pipes[0], F_SETFD, FD_CLOEXEC);
    fcntl(pipes[0], F_SETFL, O_NONBLOCK);
    device->socket = sockets[0];
    device->errors = pipes[0];
    *socket_end = sockets[1];
    *errors_end = pipes[1];
    return device;
}

struct macrame_device* macrame_device_create(const char* configuration,
                                             enum macrame_device_kind kind) {
    int socket_end = -1, errors_end = -1;
    struct macrame_device* device = make(&socket_end, &errors_end);
    free(create_errors);
    create_errors = NULL;
    if (device == NULL) return NULL;
    fflush(NULL);
    device->program = fork();
    if (device->program == 0) become(configuration, kind, socket_end, errors_end);
    close(socket_end);
    close(errors_end);
    if (device->program < 0) fprintf(stderr, "macrame_device_create: fork: %s\n", strerror(errno));
    if (device->program >= 0 && answer(device) == MACRAME_WIRE_HELLO) return device;
    macrame_device_error_text(device);
    create_errors = device->text;
    device->text = NULL;
    macrame_device_destroy(device);
    return NULL;
}

int macrame_device_destroy(struct macrame_device* device) {
    int status = 0;
    int failed = 0;
    pid_t ended = 0;
    if (device == NULL) return 0;
    failed = device->failed;
    shutdown(device->socket, SHUT_WR);
    while (device->program > 0 && ended == 0) {
        struct pollfd end = {device->errors, POLLIN, 0};
        ended = waitpid(device->program, &status, device->errors < 0 ? 0 : WNOHANG);
        if (ended < 0 && errno == EINTR) ended = 0;
        if (ended == 0 && device->errors >= 0) poll(&end, 1, 20);
        take_errors(device);
    }
    if (device->program > 0 && (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
        failed = 1;
    }
    if (device->errors >= 0) close(device->errors);
    close(device->socket);
    free(device->text);
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

uint64_t macrame_device_advance(struct macrame_device* device, uint64_t cycles) {
    ask(device, MACRAME_WIRE_ADVANCE, 0, 0, cycles);
    return answer(device);
}

uint64_t macrame_device_cycles(struct macrame_device* device) {
    ask(device, MACRAME_WIRE_CYCLES, 0, 0, 0);
    return answer(device);
}

uint32_t macrame_device_identity(struct macrame_device* device) {
    ask(device, MACRAME_WIRE_IDENTITY, 0, 0, 0);
    return (uint32_t)answer(device);
}

int macrame_device_statistics(struct macrame_device* device, struct macrame_device_statistics* to) {
    struct macrame_wire_statistics found;
    memset(&found, 0, sizeof found);
    ask(device, MACRAME_WIRE_STATISTICS, 0, 0, 0);
    if (answer(device) == sizeof found) receive_all(device, &found, sizeof found);
    if (device->failed) memset(&found, 0, sizeof found);
    to->cycles = found.cycles;
    to->register_reads = found.register_reads;
    to->register_writes = found.register_writes;
    to->layers = found.layers;
    to->interrupts = found.interrupts;
    to->read_bytes = found.read_bytes;
    to->write_bytes = found.write_bytes;
    to->read_stalls = found.read_stalls;
    to->write_stalls = found.write_stalls;
    return device->failed;
}

int macrame_device_error(const struct macrame_device* device) { return device->failed; }

const char* macrame_device_error_text(struct macrame_device* device) {
    if (device == NULL) return create_errors != NULL ? create_errors : "";
    if (!device->failed) macrame_device_cycles(device); /* behind it all requests are done */
    if (device->text == NULL) return "";
    if (!device->trimmed && device->bytes > 0 && device->text[device->bytes - 1] == '\n') {
        device->text[device->bytes - 1] = '\0';
        device->trimmed = 1;
    }
    return device->text;
}
