/* The accesses of runtime/linux/macrame_linux_access.c on a golden model in place of hardware. The
 * file in place of the UIO device holds in each word its own offset, so that a load tells the
 * register. From the environment:
 *
 *   FAKE_CONFIGURATION   of macrame_device_create()
 *   FAKE_INTERRUPT       none: it never comes; sleep: it comes in a minute; gone: the file fails */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dla_regs.h"
#include "macrame_device.h"
#include "macrame_linux.h"

static struct macrame_device* device(void) {
    static struct macrame_device* device;
    if (!device) device = macrame_device_create(getenv("FAKE_CONFIGURATION"), MACRAME_DEVICE_MODEL);
    if (!device) exit(99);
    return device;
}

uint32_t macrame_linux_load(const volatile uint32_t* at) {
    return macrame_device_read(device(), *at);
}

void macrame_linux_store(volatile uint32_t* at, uint32_t value) {
    if (*at == NVDLA_SYSCTL_S_RESET_0)
        macrame_device_reset(device());
    else
        macrame_device_write(device(), *at, value);
}

void macrame_linux_sync(const struct macrame_machine* machine, uint64_t offset, uint64_t bytes,
                        int to_device) {
    uint8_t* here = machine->memory + offset;
    const uint64_t there = machine->device_address + offset;
    if (to_device)
        macrame_device_memory_write(device(), MACRAME_PORT_PRIMARY, there, here, bytes);
    else
        macrame_device_memory_read(device(), MACRAME_PORT_PRIMARY, there, here, bytes);
}

int macrame_linux_wait(int file, uint32_t timeout_ms) {
    const char* interrupt = getenv("FAKE_INTERRUPT");
    (void)file;
    if (interrupt && strcmp(interrupt, "none") == 0) return 0;
    if (interrupt && strcmp(interrupt, "gone") == 0) {
        errno = EIO;
        return -1;
    }
    if (interrupt && strcmp(interrupt, "sleep") == 0) sleep(60);
    return macrame_device_wait(device(), (uint64_t)timeout_ms * 1000);
}
