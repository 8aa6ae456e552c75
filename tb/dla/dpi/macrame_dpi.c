/* libmacrame_device for SystemVerilog: the functions of macrame_dpi.sv. Data of memories goes in
 * words of 8 bytes, the first byte in the lowest bits. */
#include <stdint.h>

#include "macrame_device.h"

void* macrame_dpi_create(const char* configuration) {
    return macrame_device_create(configuration, MACRAME_DEVICE_MODEL);
}

void macrame_dpi_destroy(void* device) { macrame_device_destroy(device); }

void macrame_dpi_reset(void* device) { macrame_device_reset(device); }

void macrame_dpi_write(void* device, unsigned address, unsigned value) {
    macrame_device_write(device, address, value);
}

unsigned macrame_dpi_read(void* device, unsigned address) {
    return macrame_device_read(device, address);
}

unsigned macrame_dpi_wait(void* device, unsigned long long cycles) {
    return macrame_device_wait(device, cycles) != 0;
}

void macrame_dpi_advance(void* device, unsigned long long cycles) {
    macrame_device_advance(device, cycles);
}

void macrame_dpi_put(void* device, unsigned port, unsigned long long address,
                     unsigned long long word) {
    uint8_t bytes[8];
    for (unsigned i = 0; i < sizeof bytes; ++i) bytes[i] = (uint8_t)(word >> 8 * i);
    macrame_device_memory_write(device, (enum macrame_device_port)port, address, bytes,
                                sizeof bytes);
}

unsigned long long macrame_dpi_get(void* device, unsigned port, unsigned long long address) {
    uint8_t bytes[8] = {0};
    unsigned long long word = 0;
    macrame_device_memory_read(device, (enum macrame_device_port)port, address, bytes,
                               sizeof bytes);
    for (unsigned i = 0; i < sizeof bytes; ++i) word |= (unsigned long long)bytes[i] << 8 * i;
    return word;
}

const char* macrame_dpi_error(void* device) { return macrame_device_error_text(device); }
