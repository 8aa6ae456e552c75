# What machine.c measures.
firmware_wrapped = macrame_systolic_run
