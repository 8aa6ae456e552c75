# Timing of ${top} for Vivado. Made by macrame ${version}.
#
# For the core in a design, after the clocks are known:
#   read_xdc -ref ${top} timing.xdc
#   set_property PROCESSING_ORDER LATE [get_files timing.xdc]
# For the core alone, without -ref, behind clocks.xdc. No frequency is told here: the periods are
# those of your clocks.

#% if system_top
#%   if bus_clock == "own"
set core_clock [get_clocks -of_objects [get_ports core_clk]]
set bus_clock [get_clocks -of_objects [get_ports aclk]]
set core_period [get_property -min PERIOD $core_clock]
set bus_period [get_property -min PERIOD $bus_clock]

# From clock to clock. All signals between them are gray coded pointers of FIFOs (csb_master,
#%     if memory_bus == "native"
# two of them), the interrupt of glb, the reset of the core and its answer, which end at the first
#%     else
# axi_mem_cross), the interrupt of glb, the reset of the core and its answer, which end at the first
#%     end
# flop of sync_bit or at the clear pins of reset_sync, and words in the memories of these FIFOs,
# written when their pointer moves and read two cycles later at the earliest. The bits of a pointer
# must not be further apart than one period of the clock they come from, so a path may take the
# shorter of the two periods; hold is no question.
# If both pins have the same clock, these lines and those of set_bus_skew have to go.
set crossing [expr {$core_period < $bus_period ? $core_period : $bus_period}]
set_max_delay $crossing -datapath_only -from $bus_clock -to $core_clock
set_max_delay $crossing -datapath_only -from $core_clock -to $bus_clock

# The bits of a pointer of a FIFO between the clocks also arrive within one such period of each other.
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_request/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_request/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_request/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_request/gen_cross*u_wr/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_answer/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_answer/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_answer/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_answer/gen_cross*u_wr/sync_q_reg[0]}]
#%     if memory_bus != "native"
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_aw/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_aw/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_aw/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_aw/gen_cross*u_wr/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_w/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_w/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_w/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_w/gen_cross*u_wr/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_ar/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_ar/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_ar/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_ar/gen_cross*u_wr/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_b/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_b/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_b/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_b/gen_cross*u_wr/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_r/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_r/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_r/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_pri/u_r/gen_cross*u_wr/sync_q_reg[0]}]
#%       if secondary_memif_enable
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_aw/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_aw/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_aw/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_aw/gen_cross*u_wr/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_w/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_w/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_w/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_w/gen_cross*u_wr/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_ar/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_ar/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_ar/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_ar/gen_cross*u_wr/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_b/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_b/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_b/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_b/gen_cross*u_wr/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_r/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_r/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_r/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_axi_mem_cross_sec/u_r/gen_cross*u_wr/sync_q_reg[0]}]
#%       end
#%     end

#%   else
# One clock: nothing crosses.
#%   end
# aresetn ends at the clear pins of reset_sync, which releases it in step
# with the clock; its flops have the attribute ASYNC_REG in the source.
set_false_path -through [get_ports aresetn]
#% else
set core_clock [get_clocks -of_objects [get_ports dla_core_clk]]
set csb_clock [get_clocks -of_objects [get_ports dla_csb_clk]]
set core_period [get_property -min PERIOD $core_clock]
set csb_period [get_property -min PERIOD $csb_clock]

# From clock to clock. All signals between them are gray coded pointers of the two FIFOs of
# csb_master and the interrupt of glb, which end at the first flop of sync_bit, and words in the
# memories of these FIFOs, written when their pointer moves and read two cycles later at the
# earliest. The bits of a pointer must not be further apart than one period of the clock they come
# from, so a path may take the shorter of the two periods; hold is no question.
# If both pins have the same clock, these lines and those of set_bus_skew have to go.
set crossing [expr {$core_period < $csb_period ? $core_period : $csb_period}]
set_max_delay $crossing -datapath_only -from $csb_clock -to $core_clock
set_max_delay $crossing -datapath_only -from $core_clock -to $csb_clock

# The bits of a pointer of a FIFO between the clocks also arrive within one such period of each other.
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_request/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_request/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_request/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_request/gen_cross*u_wr/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_answer/wgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_answer/gen_cross*u_rd/sync_q_reg[0]}]
set_bus_skew $crossing -from [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_answer/rgray_q_reg*}] \
    -to [get_cells -hierarchical -filter {NAME =~ *u_csb_master/u_answer/gen_cross*u_wr/sync_q_reg[0]}]

# dla_reset_rstn ends at the clear pins of two reset_sync, which release it in step with each clock.
# What leaves them is not a false path. Their flops have the attribute ASYNC_REG in the source.
set_false_path -through [get_ports dla_reset_rstn]

# Test mode, and direct_reset_ with it, is not used on an FPGA: tie both pins to 0.
set_false_path -through [get_ports {test_mode direct_reset_}]
#% if clock_gating

# Constant while the clock runs.
set_false_path -through [get_ports {global_clk_ovr_on tmc2slcg_disable_clock_gating}]
#% end
#% end
