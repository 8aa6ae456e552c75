/* The accesses of hardware, on a socket in place of a UIO device: the one that waits lets the
 * interrupt through first, sleeps no longer than it may, and tells a file that fails. */
#include <assert.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "macrame_linux.h"

#ifdef NDEBUG
#error "want assert"
#endif

int main(void) {
    int ends[2];
    uint32_t word = 0;
    const uint32_t count = 7;
    volatile uint32_t registers[2] = {1, 2};
    assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) == 0);
    /* Nothing comes: it was let through, then the time is over. */
    assert(macrame_linux_wait(ends[0], 0) == 0);
    assert(macrame_linux_wait(ends[0], 30) == 0);
    assert(read(ends[1], &word, sizeof word) == 4 && word == 1);
    assert(read(ends[1], &word, sizeof word) == 4 && word == 1);
    /* It comes, and is taken. */
    assert(write(ends[1], &count, sizeof count) == 4);
    assert(macrame_linux_wait(ends[0], 10000) == 1);
    assert(macrame_linux_wait(ends[0], 0) == 0);
    /* A count that is too short, a file that takes nothing. */
    assert(write(ends[1], &count, 1) == 1);
    assert(macrame_linux_wait(ends[0], 10000) == -1);
    close(ends[1]);
    assert(macrame_linux_wait(ends[0], 10000) == -1);
    macrame_linux_store(&registers[1], 9);
    assert(macrame_linux_load(&registers[1]) == 9 && macrame_linux_load(&registers[0]) == 1);
    puts("registers and interrupts");
    return 0;
}
