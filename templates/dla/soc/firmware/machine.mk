# What machine.c measures.
firmware_wrapped = macrame_finish
