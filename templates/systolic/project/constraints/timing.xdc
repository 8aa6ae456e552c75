# Timing of ${top} for Vivado. Made by macrame ${version}.
#
# For the core in a design, after the clocks are known:
#   read_xdc -ref ${top} timing.xdc
#   set_property PROCESSING_ORDER LATE [get_files timing.xdc]
# For the core alone, without -ref, behind clocks.xdc. No frequency is told here: the period is that
# of your clock.

# One clock: nothing crosses. rst_n ends at the clear pins of reset_sync, which releases it in step
# with the clock; its flops have the attribute ASYNC_REG in the source.
set_false_path -through [get_ports rst_n]
