/* The first process of a machine whose accelerator is memory (driver_test.sh): loads the driver,
 * runs a program with it in good and bad ways, unloads it. Registers keep what is written to them;
 * an interrupt is one that this process sets pending at the interrupt controller, GICv2 of QEMU's
 * virt. Prints a line for each thing that was tried, and "driver: well" if all were as they should
 * be. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dla_regs.h"
#include "macrame.h"
#include "macrame_ioctl.h"
#include "place.h" /* of the device tree: REGISTERS, REGISTER_BYTES, MEMORY, INTERRUPT */

enum { GICD = 0x08000000, GICD_ISPENDR = 0x200, SPI = 32 };

static int bad;

static void say(const char* what, int well) {
    printf("driver: %s%s\n", what, well ? "" : ": FAILED");
    if (!well) bad = 1;
}

static void say_error(const char* what, int32_t error, int32_t wanted) {
    say(what, error == wanted);
    if (error != wanted) printf("driver: error %d: want %d\n", (int)error, (int)wanted);
}

static volatile uint32_t* map_physical(uint64_t address, size_t bytes) {
    const int file = open("/dev/mem", O_RDWR | O_SYNC);
    void* at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, (off_t)address);
    if (file < 0 || at == MAP_FAILED) perror("driver: /dev/mem");
    return at == MAP_FAILED ? NULL : at;
}

static int load(const char* options) {
    const int file = open("/driver.ko", O_RDONLY);
    const long status = syscall(SYS_finit_module, file, options, 0);
    close(file);
    return status == 0 ? 0 : errno;
}

static int unload(void) {
    return syscall(SYS_delete_module, "macrame_accelerator", O_NONBLOCK) == 0 ? 0 : errno;
}

static int open_device(void) { return open("/dev/macrame0", O_RDWR); }

static uint8_t program_file[1 << 20];
static size_t program_bytes;

static int submit(int device, size_t bytes, uint32_t timeout_ms, int32_t* error) {
    struct macrame_submit run;
    int status;
    memset(&run, 0, sizeof run);
    run.program = (uint64_t)(uintptr_t)program_file;
    run.bytes = bytes;
    run.timeout_ms = timeout_ms;
    status = ioctl(device, MACRAME_SUBMIT, &run) == 0 ? 0 : errno;
    if (error) *error = run.error;
    return status;
}

static int32_t result_of(int device) {
    struct macrame_result result;
    struct pollfd event = {device, POLLIN, 0};
    if (poll(&event, 1, 20000) != 1 || read(device, &result, sizeof result) != sizeof result)
        return -1;
    return result.error;
}

/* What the program polls for is there, the interrupt is not. */
static void set_registers(void) {
    volatile uint32_t* registers = map_physical(REGISTERS, REGISTER_BYTES);
    struct macrame_program program;
    struct macrame_command command;
    uint32_t i;
    registers[NVDLA_GLB_S_INTR_STATUS_0 / 4] = 0;
    if (macrame_open(&program, program_file, program_bytes) != MACRAME_OK) bad = 1;
    for (i = 0; macrame_get_command(&program, i, &command) == MACRAME_OK; ++i)
        if (command.code == MACRAME_POLL) registers[command.address / 4] = command.value;
}

/* As the accelerator would: causes into the status register, then the interrupt. */
static void hardware(uint32_t delay_ms) {
    volatile uint32_t* registers = map_physical(REGISTERS, REGISTER_BYTES);
    volatile uint32_t* gic = map_physical(GICD, 0x1000);
    usleep(delay_ms * 1000);
    registers[NVDLA_GLB_S_INTR_STATUS_0 / 4] = ~0u;
    gic[(GICD_ISPENDR + (INTERRUPT + SPI) / 32 * 4) / 4] = 1u << (INTERRUPT + SPI) % 32;
}

static void try_runs(int device) {
    volatile uint32_t* registers = map_physical(REGISTERS, REGISTER_BYTES);
    struct macrame_info info;
    struct macrame_result result;
    int32_t error;
    int status, second;
    uint8_t* memory;
    say("info tells the device tree's numbers", ioctl(device, MACRAME_INFO, &info) == 0 &&
                                                    info.device_address == MEMORY &&
                                                    info.register_bytes == REGISTER_BYTES);
    second = open_device();
    say("a second open is busy", second < 0 && errno == EBUSY);
    memory = mmap(NULL, info.memory_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0);
    say("the block is mapped and is empty", memory != MAP_FAILED && memory[0] == 0);
    if (memory != MAP_FAILED) memory[0] = 1;
    status = submit(device, program_bytes - 1, 1000, &error);
    say("a file that is cut off is refused", status == EINVAL && error == MACRAME_BAD_SIZE);
    say("no result without a run", read(device, &result, sizeof result) < 0 && errno == EINVAL);
    registers[NVDLA_SYSCTL_S_RESET_0 / 4] = 0;
    set_registers();
    say("a run begins", submit(device, program_bytes, 300, NULL) == 0);
    say("another one is busy", submit(device, program_bytes, 300, NULL) == EBUSY);
    say("the driver stays while it is open", unload() == EWOULDBLOCK);
    say_error("no interrupt: the run ends in time", result_of(device), MACRAME_TIMEOUT);
    say("which resets the accelerator", registers[NVDLA_SYSCTL_S_RESET_0 / 4] == 1);
    if (fork() == 0) {
        hardware(200);
        _exit(0);
    }
    say("again", submit(device, program_bytes, 10000, NULL) == 0);
    say_error("an interrupt ends the run", result_of(device), MACRAME_OK);
    wait(NULL);
    close(device);
    say("a mapping keeps the driver", unload() == EWOULDBLOCK);
    munmap(memory, info.memory_bytes);
    say("the driver is unloaded", unload() == 0);
}

/* A process that is killed in mid-run leaves the device free, and no trace in its memory. */
static void try_kill(void) {
    const pid_t child = fork();
    int device, status;
    uint8_t* memory;
    if (child == 0) {
        device = open_device();
        memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, device, 0);
        if (memory != MAP_FAILED) memory[5] = 7;
        if (device < 0 || submit(device, program_bytes, 60000, NULL) != 0) _exit(1);
        pause();
    }
    usleep(500000);
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    say("it ran until it was killed", WIFSIGNALED(status));
    device = open_device();
    memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, device, 0);
    say("the next one opens the device", device >= 0);
    say("and finds its memory empty", memory != MAP_FAILED && memory[5] == 0);
    munmap(memory, 4096);
    close(device);
}

int main(void) {
    int device, file;
    mount("none", "/dev", "devtmpfs", 0, NULL);
    mkdir("/proc", 0755);
    mount("none", "/proc", "proc", 0, NULL);
    file = open("/program", O_RDONLY);
    program_bytes = (size_t)read(file, program_file, sizeof program_file);
    say("more memory than there is: no device",
        load("memory_bytes=1073741824") == 0 && open_device() < 0 && unload() == 0);
    say("the driver is loaded", load("memory_bytes=1048576") == 0);
    device = open_device();
    say("it has a device", device >= 0);
    if (device >= 0) try_runs(device);
    say("it is loaded again", load("memory_bytes=1048576") == 0);
    set_registers();
    try_kill();
    say("and unloaded again", unload() == 0);
    if (!bad) puts("driver: well");
    fflush(stdout);
    sync();
    reboot(RB_POWER_OFF);
    return 0;
}
