# Clock of ${top} for a run of Vivado without the design around it. Made by macrame ${version}.
#   read_xdc -mode out_of_context clocks.xdc
# The frequency is an example: put yours here. To be read before timing.xdc.

create_clock -name clk -period 10.000 [get_ports clk]
