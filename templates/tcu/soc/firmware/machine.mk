# What machine.c measures.
firmware_wrapped = macrame_tcu_run
