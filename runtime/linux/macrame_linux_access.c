#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "macrame_linux.h"

uint32_t macrame_linux_load(const volatile uint32_t* at) { return *at; }

void macrame_linux_store(volatile uint32_t* at, uint32_t value) { *at = value; }

/* The buffer is mapped uncached: order is all that matters. */
void macrame_linux_sync(const struct macrame_machine* machine, uint64_t offset, uint64_t bytes,
                        int to_device) {
    (void)machine;
    (void)offset;
    (void)bytes;
    (void)to_device;
    __sync_synchronize();
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The kernel masks the interrupt when it comes; a 1 written lets it through again. */
int macrame_linux_wait(int file, uint32_t timeout_ms) {
    const int64_t end = now_ms() + timeout_ms;
    const uint32_t unmask = 1;
    struct pollfd event = {0, POLLIN, 0};
    uint32_t count;
    int ready;
    event.fd = file;
    if (write(file, &unmask, sizeof unmask) != (ssize_t)sizeof unmask) return -1;
    do {
        const int64_t left = end - now_ms();
        ready = poll(&event, 1, left < 0 ? 0 : left > 1 << 30 ? 1 << 30 : (int)left);
    } while (ready < 0 && errno == EINTR);
    if (ready <= 0) return ready;
    return read(file, &count, sizeof count) == (ssize_t)sizeof count ? 1 : -1;
}
