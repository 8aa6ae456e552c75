/* What user space says to the driver of an accelerator, /dev/macrame0 (docs/linux.md).
 *
 * open, for one process at a time; mmap of the memory block from offset 0; put weights and inputs
 * there with the runtime (macrame_prepare, macrame_write_input); MACRAME_SUBMIT; poll for POLLIN;
 * read one struct macrame_result; macrame_read_output. */
#ifndef MACRAME_IOCTL_H
#define MACRAME_IOCTL_H

#include <linux/ioctl.h>
#include <linux/types.h>

struct macrame_info {
    __u64 memory_bytes;   /* of the block, for mmap */
    __u64 device_address; /* of the block, as the accelerator sees it */
    __u64 register_bytes;
};

/* A run of a program file, which is copied. */
struct macrame_submit {
    __u64 program; /* its address */
    __u64 bytes;
    char network[64];   /* of a file of several; "": of one */
    __u32 timeout_ms;   /* for one interrupt or poll */
    __u32 identity;     /* of the hardware, 0: not known (macrame_program.hardware) */
    __s32 error;        /* out: enum macrame_error of a file that is refused */
    __u32 reserved;     /* 0 */
};

struct macrame_result {
    __s32 error;    /* enum macrame_error */
    __u32 command;  /* the one that failed */
    __u32 layer;    /* and its layer; ~0: before the first */
    __u32 hardware; /* as macrame_check_hardware() */
};

#define MACRAME_INFO _IOR('M', 0x60, struct macrame_info)
#define MACRAME_SUBMIT _IOWR('M', 0x61, struct macrame_submit)

#endif
