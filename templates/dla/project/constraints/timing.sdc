# Timing of ${top} for tools that read SDC. Made by macrame ${version}.
#
# The frequencies and the delays of the ports are examples: put yours here.

#% if system_top
#%   if bus_clock == "own"
set core_period 5.0  ;# ns, core_clk: everything that computes
set bus_period 10.0  ;# ns, aclk: buses, register page of the system, interrupt
#%   else
set core_period 5.0  ;# ns, aclk
#%   end
#% else
set core_period 5.0  ;# ns, dla_core_clk: everything that computes, and AXI
set csb_period 10.0  ;# ns, dla_csb_clk: register access and interrupt
#% end

# Part of a period that a signal takes outside of this design.
set outside 0.4

#% if system_top
#%   if bus_clock == "own"
create_clock -name core_clk -period $core_period [get_ports core_clk]
create_clock -name aclk -period $bus_period [get_ports aclk]

# ---------------------------------------------------------------- from clock to clock
#
# The clocks have nothing to do with each other. Signals between them are of three kinds only:
#%     if memory_bus == "native"
#   - gray coded pointers of the two FIFOs of csb_master,
#%     else
#   - gray coded pointers of the FIFOs of csb_master and axi_mem_cross,
#%     end
#     the interrupt of glb, the reset of the core and its answer: they end at the first flop of
#     sync_bit. The bits of a pointer must not be further apart than one period of the clock they
#     come from;
#   - words in the memories of these FIFOs: written when their pointer moves, read two cycles of
#     the other clock later at the earliest;
#   - the reset of the core at the clear pins of reset_sync, which releases it in step with aclk.
# So a path may take the shorter of the two periods, and hold is no question.
set crossing [expr {min($core_period, $bus_period)}]
set_max_delay $crossing -from [get_clocks aclk] -to [get_clocks core_clk]
set_max_delay $crossing -from [get_clocks core_clk] -to [get_clocks aclk]
set_false_path -hold -from [get_clocks aclk] -to [get_clocks core_clk]
set_false_path -hold -from [get_clocks core_clk] -to [get_clocks aclk]
#%   else
create_clock -name aclk -period $core_period [get_ports aclk]
#%   end

# aresetn ends at the clear pins of reset_sync, which releases it in step with the clock. What leaves
# it is not a false path: recovery and removal are checked as usual.
set_false_path -from [get_ports aresetn]

#% else
create_clock -name dla_core_clk -period $core_period [get_ports dla_core_clk]
create_clock -name dla_csb_clk -period $csb_period [get_ports dla_csb_clk]

# ---------------------------------------------------------------- from clock to clock
#
# The clocks have nothing to do with each other. Signals between them are of two kinds only:
#   - gray coded pointers of the two FIFOs of csb_master, and the interrupt of glb: they end at the
#     first flop of sync_bit. The bits of a pointer must not be further apart than one period of
#     the clock they come from;
#   - words in the memories of these FIFOs: written when their pointer moves, read two cycles of
#     the other clock later at the earliest.
# So a path may take the shorter of the two periods, and hold is no question.
set crossing [expr {min($core_period, $csb_period)}]
set_max_delay $crossing -from [get_clocks dla_csb_clk] -to [get_clocks dla_core_clk]
set_max_delay $crossing -from [get_clocks dla_core_clk] -to [get_clocks dla_csb_clk]
set_false_path -hold -from [get_clocks dla_csb_clk] -to [get_clocks dla_core_clk]
set_false_path -hold -from [get_clocks dla_core_clk] -to [get_clocks dla_csb_clk]

# ---------------------------------------------------------------- resets and constant pins
#
# dla_reset_rstn ends at the clear pins of two reset_sync, which release it in step with each clock.
# What leaves them is not a false path: recovery and removal are checked as usual.
set_false_path -from [get_ports dla_reset_rstn]

# direct_reset_ takes the place of these resets in test mode only.
set_case_analysis 0 [get_ports test_mode]
#% if clock_gating

# Constant while the clock runs.
set_false_path -from [get_ports {global_clk_ovr_on tmc2slcg_disable_clock_gating}]
#% end

#% end
# ---------------------------------------------------------------- ports
#% for g in port_groups
#%   if g.clock != ""

# ${g.title}
#%     if g.clock == "dla_csb_clk"
set delay [expr {$outside * $csb_period}]
#%     elif g.clock == "aclk" && bus_clock == "own"
set delay [expr {$outside * $bus_period}]
#%     else
set delay [expr {$outside * $core_period}]
#%     end
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
