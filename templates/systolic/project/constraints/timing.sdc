# Timing of ${top} for tools that read SDC. Made by macrame ${version}.
#
# The frequency and the delays of the ports are examples: put yours here.

set period 5.0  ;# ns

# Part of the period that a signal takes outside of this design.
set outside 0.4

create_clock -name clk -period $period [get_ports clk]

# rst_n ends at the clear pins of reset_sync, which releases it in step with the clock. What leaves
# it is not a false path: recovery and removal are checked as usual.
set_false_path -from [get_ports rst_n]

# ---------------------------------------------------------------- ports
set delay [expr {$outside * $period}]
#% for g in port_groups
#%   if g.clock != "" && g.title != "clock and reset"

# ${g.title}
#%     if g.input_count > 0
set_input_delay $delay -clock ${g.clock} [get_ports {
#%       for p in g.inputs
    ${p.name}
#%       end
}]
#%     end
#%     if g.output_count > 0
set_output_delay $delay -clock ${g.clock} [get_ports {
#%       for p in g.outputs
    ${p.name}
#%       end
}]
#%     end
#%   end
#% end
