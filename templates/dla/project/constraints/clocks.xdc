# Clocks of ${top} for a run of Vivado without the design around it. Made by macrame ${version}.
#   read_xdc -mode out_of_context clocks.xdc
# The frequencies are examples: put yours here. To be read before timing.xdc.

#% if system_top
#%   if bus_clock == "own"
create_clock -name core_clk -period 10.000 [get_ports core_clk]
create_clock -name aclk -period 8.000 [get_ports aclk]
#%   else
create_clock -name aclk -period 10.000 [get_ports aclk]
#%   end
#% else
create_clock -name dla_core_clk -period 10.000 [get_ports dla_core_clk]
create_clock -name dla_csb_clk -period 20.000 [get_ports dla_csb_clk]
#% end
