// SPDX-License-Identifier: GPL-2.0
/*
 * Platform driver of an accelerator: memory by CMA or the reserved memory of its node, a run of a
 * program by one ioctl. The runtime (macrame.c, macrame_open.c) checks the program and makes its
 * register accesses, here as everywhere. Whoever may open the device may make it reach all memory:
 * it is root's.
 */
#include <linux/clk.h>
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/of.h>
#include <linux/of_reserved_mem.h>
#include <linux/platform_device.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>

#undef current	/* a member of struct macrame_runner */
#include "macrame.h"
#include "macrame_ioctl.h"

#define MACRAME_MOST_PROGRAM (256ul << 20)

static unsigned long memory_bytes = 16ul << 20;
module_param(memory_bytes, ulong, 0444);
MODULE_PARM_DESC(memory_bytes, "bytes of the memory block of each accelerator");

enum macrame_state { MACRAME_IDLE, MACRAME_RUNNING, MACRAME_DONE };

struct macrame_device {
	struct device *dev;
	void __iomem *registers;
	resource_size_t register_bytes;
	u32 reset;		/* offset of the register that resets the core; ~0: none */
	int irq;
	bool irq_enabled;	/* by the work, until the handler or the work disables it */
	bool irq_seen;
	struct miscdevice misc;
	void *memory;
	dma_addr_t address;
	unsigned long open;	/* bit 0 */
	struct mutex lock;	/* of what follows */
	enum macrame_state state;
	bool cancel;
	u32 timeout_ms;
	u8 *file;
	struct macrame_program program;
	struct macrame_machine machine;
	struct macrame_runner runner;
	struct macrame_result result;
	struct work_struct work;
	wait_queue_head_t irq_wait, done_wait;
};

/* ---- the machine of the runtime */

static uint32_t macrame_read(void *user, uint32_t address)
{
	struct macrame_device *m = user;

	return (resource_size_t)address + 4 <= m->register_bytes ? readl(m->registers + address) : 0;
}

static void macrame_write(void *user, uint32_t address, uint32_t value)
{
	struct macrame_device *m = user;

	if ((resource_size_t)address + 4 <= m->register_bytes)
		writel(value, m->registers + address);
}

/* The line is level: off until what caused it is served. */
static irqreturn_t macrame_interrupt(int irq, void *user)
{
	struct macrame_device *m = user;

	disable_irq_nosync(irq);
	WRITE_ONCE(m->irq_enabled, false);
	WRITE_ONCE(m->irq_seen, true);
	wake_up(&m->irq_wait);
	return IRQ_HANDLED;
}

static void macrame_interrupt_on(struct macrame_device *m)
{
	WRITE_ONCE(m->irq_seen, false);
	if (!READ_ONCE(m->irq_enabled)) {
		WRITE_ONCE(m->irq_enabled, true);
		enable_irq(m->irq);
	}
}

static void macrame_interrupt_off(struct macrame_device *m)
{
	disable_irq(m->irq);	/* the handler has ended */
	if (!READ_ONCE(m->irq_enabled))
		enable_irq(m->irq);	/* it had disabled it: once is enough */
	WRITE_ONCE(m->irq_enabled, false);
}

/* One run, to its end, its time limit or its cancellation. */
static int macrame_run_to_end(struct macrame_device *m)
{
	unsigned long end = jiffies + msecs_to_jiffies(m->timeout_ms);
	u32 command = 0;
	int error;

	for (;;) {
		error = macrame_step(&m->runner);
		if (error != MACRAME_BUSY)
			return error;
		if (READ_ONCE(m->cancel))
			return MACRAME_CANCELLED;
		if (m->runner.next != command) {
			command = m->runner.next;
			end = jiffies + msecs_to_jiffies(m->timeout_ms);
		}
		if (time_after(jiffies, end))
			return m->runner.polls ? MACRAME_POLL_TIMEOUT : MACRAME_TIMEOUT;
		if (m->runner.polls) {
			cond_resched();
			continue;
		}
		macrame_interrupt_on(m);
		wait_event_timeout(m->irq_wait, READ_ONCE(m->irq_seen) || READ_ONCE(m->cancel),
				   max(1l, (long)(end - jiffies)));
	}
}

static void macrame_reset(struct macrame_device *m)
{
	if (m->reset != ~0u)
		macrame_write(m, m->reset, 1);
}

static void macrame_work(struct work_struct *work)
{
	struct macrame_device *m = container_of(work, struct macrame_device, work);
	int error = macrame_run_to_end(m);

	macrame_interrupt_off(m);
	if (error != MACRAME_OK)
		macrame_reset(m);
	mutex_lock(&m->lock);
	m->result.error = error;
	m->result.command = m->runner.next;
	m->result.layer = m->runner.current;
	m->result.hardware = m->runner.hardware;
	m->state = MACRAME_DONE;
	mutex_unlock(&m->lock);
	wake_up(&m->done_wait);
}

/* ---- files */

static struct macrame_device *macrame_of(struct file *file)
{
	return container_of(file->private_data, struct macrame_device, misc);
}

static int macrame_fop_open(struct inode *inode, struct file *file)
{
	return test_and_set_bit(0, &macrame_of(file)->open) ? -EBUSY : 0;
}

/* Also of a process that was killed: nothing runs behind it, and nothing of it stays. */
static int macrame_fop_release(struct inode *inode, struct file *file)
{
	struct macrame_device *m = macrame_of(file);

	WRITE_ONCE(m->cancel, true);
	wake_up(&m->irq_wait);
	flush_work(&m->work);
	WRITE_ONCE(m->cancel, false);
	kvfree(m->file);
	m->file = NULL;
	m->state = MACRAME_IDLE;
	memset(m->memory, 0, memory_bytes);
	clear_bit(0, &m->open);
	return 0;
}

static int macrame_fop_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct macrame_device *m = macrame_of(file);

	return dma_mmap_coherent(m->dev, vma, m->memory, m->address, memory_bytes);
}

static int macrame_begin_run(struct macrame_device *m, struct macrame_submit *submit)
{
	u8 *file;
	int error;

	if (m->state == MACRAME_RUNNING)
		return -EBUSY;
	if (submit->bytes == 0 || submit->bytes > MACRAME_MOST_PROGRAM || submit->timeout_ms == 0)
		return -EINVAL;
	if (submit->reserved != 0 || submit->network[sizeof(submit->network) - 1] != 0)
		return -EINVAL;
	file = vmemdup_user(u64_to_user_ptr(submit->program), submit->bytes);
	if (IS_ERR(file))
		return PTR_ERR(file);
	kvfree(m->file);
	m->file = file;
	m->timeout_ms = submit->timeout_ms;
	error = macrame_open(&m->program, file, submit->bytes);
	if (error == MACRAME_OK && submit->network[0])
		error = macrame_select(&m->program, submit->network);
	m->program.hardware = submit->identity;
	if (error == MACRAME_OK)
		error = macrame_begin(&m->runner, &m->program, &m->machine);
	submit->error = error;
	if (error != MACRAME_OK)
		return -EINVAL;
	m->state = MACRAME_RUNNING;
	schedule_work(&m->work);
	return 0;
}

static long macrame_fop_ioctl(struct file *file, unsigned int request, unsigned long argument)
{
	struct macrame_device *m = macrame_of(file);
	void __user *user = (void __user *)argument;
	struct macrame_info info = { memory_bytes, m->address, m->register_bytes };
	struct macrame_submit submit;
	long status;

	switch (request) {
	case MACRAME_INFO:
		return copy_to_user(user, &info, sizeof(info)) ? -EFAULT : 0;
	case MACRAME_SUBMIT:
		if (copy_from_user(&submit, user, sizeof(submit)))
			return -EFAULT;
		submit.error = MACRAME_OK;
		mutex_lock(&m->lock);
		status = macrame_begin_run(m, &submit);
		mutex_unlock(&m->lock);
		return copy_to_user(user, &submit, sizeof(submit)) ? -EFAULT : status;
	default:
		return -ENOTTY;
	}
}

static __poll_t macrame_fop_poll(struct file *file, poll_table *table)
{
	struct macrame_device *m = macrame_of(file);

	poll_wait(file, &m->done_wait, table);
	return READ_ONCE(m->state) == MACRAME_DONE ? EPOLLIN | EPOLLRDNORM : 0;
}

/* The result of the run, once. */
static ssize_t macrame_fop_read(struct file *file, char __user *to, size_t bytes, loff_t *at)
{
	struct macrame_device *m = macrame_of(file);
	ssize_t status = sizeof(m->result);

	if (bytes < sizeof(m->result) || READ_ONCE(m->state) == MACRAME_IDLE)
		return -EINVAL;
	if ((file->f_flags & O_NONBLOCK) && READ_ONCE(m->state) != MACRAME_DONE)
		return -EAGAIN;
	if (wait_event_interruptible(m->done_wait, READ_ONCE(m->state) != MACRAME_RUNNING))
		return -ERESTARTSYS;
	mutex_lock(&m->lock);
	if (m->state != MACRAME_DONE)
		status = -EINVAL;
	else if (copy_to_user(to, &m->result, sizeof(m->result)))
		status = -EFAULT;
	else
		m->state = MACRAME_IDLE;
	mutex_unlock(&m->lock);
	return status;
}

/* The owner keeps the module while a file or a mapping of it is there. */
static const struct file_operations macrame_fops = {
	.owner = THIS_MODULE,
	.open = macrame_fop_open,
	.release = macrame_fop_release,
	.mmap = macrame_fop_mmap,
	.unlocked_ioctl = macrame_fop_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.poll = macrame_fop_poll,
	.read = macrame_fop_read,
};

/* ---- the device */

static void macrame_release_memory(void *dev)
{
	of_reserved_mem_device_release(dev);
}

static int macrame_get_memory(struct macrame_device *m)
{
	struct device *dev = m->dev;
	int error = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(32));

	if (error)
		return dev_err_probe(dev, error, "no addresses of 32 bits\n");
	error = of_reserved_mem_device_init(dev);	/* -ENODEV: none, so CMA */
	if (error && error != -ENODEV)
		return dev_err_probe(dev, error, "memory-region\n");
	if (!error)
		error = devm_add_action_or_reset(dev, macrame_release_memory, dev);
	if (error && error != -ENODEV)
		return error;
	m->memory = dmam_alloc_coherent(dev, memory_bytes, &m->address, GFP_KERNEL);
	if (!m->memory)
		return dev_err_probe(dev, -ENOMEM, "no block of %lu bytes (memory_bytes)\n",
				     memory_bytes);
	memset(m->memory, 0, memory_bytes);
	return 0;
}

static void macrame_set_machine(struct macrame_device *m)
{
	m->machine.user = m;
	m->machine.read = macrame_read;
	m->machine.write = macrame_write;
	m->machine.memory = m->memory;
	m->machine.device_address = m->address;
	m->machine.memory_bytes = memory_bytes;
}

static int macrame_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct macrame_device *m = devm_kzalloc(dev, sizeof(*m), GFP_KERNEL);
	struct resource *range;
	struct clk *clk;
	int error;

	if (!m)
		return -ENOMEM;
	m->dev = dev;
	mutex_init(&m->lock);
	init_waitqueue_head(&m->irq_wait);
	init_waitqueue_head(&m->done_wait);
	INIT_WORK(&m->work, macrame_work);
	m->registers = devm_platform_get_and_ioremap_resource(pdev, 0, &range);
	if (IS_ERR(m->registers))
		return dev_err_probe(dev, PTR_ERR(m->registers), "registers\n");
	m->register_bytes = resource_size(range);
	if (of_property_read_u32(dev->of_node, "macrame,reset", &m->reset))
		m->reset = ~0u;
	clk = devm_clk_get_optional_enabled(dev, NULL);
	if (IS_ERR(clk))
		return dev_err_probe(dev, PTR_ERR(clk), "clock\n");
	error = macrame_get_memory(m);
	if (error)
		return error;
	macrame_set_machine(m);
	macrame_reset(m);
	m->irq = platform_get_irq(pdev, 0);
	if (m->irq < 0)
		return m->irq;
	error = devm_request_irq(dev, m->irq, macrame_interrupt, IRQF_NO_AUTOEN, dev_name(dev), m);
	if (error)
		return dev_err_probe(dev, error, "interrupt %d\n", m->irq);
	m->misc.minor = MISC_DYNAMIC_MINOR;
	m->misc.name = "macrame0";
	m->misc.mode = 0600;
	m->misc.fops = &macrame_fops;
	m->misc.parent = dev;
	platform_set_drvdata(pdev, m);
	error = misc_register(&m->misc);
	if (error)
		return dev_err_probe(dev, error, "/dev/macrame0\n");
	dev_info(dev, "registers %pR, %lu bytes of memory at %pad\n", range, memory_bytes,
		 &m->address);
	return 0;
}

static int macrame_remove(struct platform_device *pdev)
{
	struct macrame_device *m = platform_get_drvdata(pdev);

	misc_deregister(&m->misc);
	return 0;
}

static const struct of_device_id macrame_match[] = {
	{ .compatible = "macrame,dla" },
	{ }
};
MODULE_DEVICE_TABLE(of, macrame_match);

static struct platform_driver macrame_driver = {
	.probe = macrame_probe,
	.remove = macrame_remove,
	.driver = {
		.name = "macrame",
		.of_match_table = macrame_match,
		.suppress_bind_attrs = true,	/* no unbind below an open file */
	},
};
module_platform_driver(macrame_driver);

MODULE_DESCRIPTION("Accelerators of macrame");
MODULE_LICENSE("GPL");
