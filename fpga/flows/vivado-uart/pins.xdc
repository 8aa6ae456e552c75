# Pins and clock of ${board}. Made by macrame ${version}.
create_clock -name clk -period ${clock_ns} [get_ports clk]

#% for p in pins
set_property -dict {PACKAGE_PIN ${p.site} IOSTANDARD ${p.io}} [get_ports {${p.name}}]
#% end

# The button and the serial line come at any time and end in synchronisers.
set_false_path -from [get_ports {reset uart_rx}]
set_false_path -to [get_ports {uart_tx led[*]}]
