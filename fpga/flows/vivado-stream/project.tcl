# ${configuration} on ${board} (${part}), ${core_mhz} MHz. Made by macrame ${version} for Vivado 2022.2.
#   vivado -mode batch -source project.tcl
# Makes the project in build/ with a block design of processor, tensor unit and the DMA that brings its
# instructions, then netlist, place and route, bitstream; reports in build/reports.
set here [file dirname [file normalize [info script]]]
source [file join $here implement.tcl]

# The newest version of an IP that this Vivado has.
proc ip {name} {
    return [lindex [lsort -dictionary [get_ipdefs xilinx.com:ip:$name:*]] end]
}

create_project board $build -part ${part} -force
# With the files of the board at hand, its memory and pins are set up as the board has them. Without
# them the bitstream is for a system that is up already: Linux, or a boot image of the board.
set board_part [lindex [get_board_parts -quiet {${board_part}}] end]
if {$board_part ne ""} { set_property board_part $board_part [current_project] }

add_design
update_compile_order -fileset sources_1

# ---------------------------------------------------------------- block design
create_bd_design system
create_bd_cell -type module -reference ${top} core
create_bd_cell -type ip -vlnv [ip proc_sys_reset] reset
# As the drivers of Tensil know it: instructions come by MM2S of axi_dma_0, no scatter and gather.
create_bd_cell -type ip -vlnv [ip axi_dma] axi_dma_0
set_property -dict {
    CONFIG.c_include_sg 0
    CONFIG.c_include_s2mm 0
    CONFIG.c_sg_length_width 26
    CONFIG.c_m_axi_mm2s_data_width ${axi_data_width}
    CONFIG.c_m_axis_mm2s_tdata_width ${axi_data_width}
} [get_bd_cells axi_dma_0]
create_bd_cell -type ip -vlnv [ip xlconcat] interrupts
set_property -dict {CONFIG.NUM_PORTS 2} [get_bd_cells interrupts]
# Each with one master and its slave: they make widths and protocols what the slave has. Control has
# a second slave, the registers of the tensor unit.
foreach name {control bank0 bank1 instructions} {
    create_bd_cell -type ip -vlnv [ip smartconnect] $name
    set_property -dict {CONFIG.NUM_SI 1 CONFIG.NUM_MI 1} [get_bd_cells $name]
}
set_property -dict {CONFIG.NUM_MI 2} [get_bd_cells control]

#% if memory == "ps7"
create_bd_cell -type ip -vlnv [ip processing_system7] ps
set rule [list make_external "FIXED_IO, DDR" Master Disable Slave Disable]
if {$board_part ne ""} { lappend rule apply_board_preset 1 }
apply_bd_automation -rule xilinx.com:bd_rule:processing_system7 -config $rule [get_bd_cells ps]
set_property -dict {
    CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ ${core_mhz}
    CONFIG.PCW_USE_M_AXI_GP0 1
    CONFIG.PCW_USE_S_AXI_HP0 1
    CONFIG.PCW_S_AXI_HP0_DATA_WIDTH 64
    CONFIG.PCW_USE_S_AXI_HP1 1
    CONFIG.PCW_S_AXI_HP1_DATA_WIDTH 64
    CONFIG.PCW_USE_S_AXI_HP2 1
    CONFIG.PCW_S_AXI_HP2_DATA_WIDTH 64
    CONFIG.PCW_USE_FABRIC_INTERRUPT 1
    CONFIG.PCW_IRQ_F2P_INTR 1
} [get_bd_cells ps]
set clock ps/FCLK_CLK0
set reset ps/FCLK_RESET0_N
set clocks {ps/M_AXI_GP0_ACLK ps/S_AXI_HP0_ACLK ps/S_AXI_HP1_ACLK ps/S_AXI_HP2_ACLK}
set master ps/M_AXI_GP0
set slaves {ps/S_AXI_HP0 ps/S_AXI_HP1 ps/S_AXI_HP2}
set interrupt ps/IRQ_F2P
#% else
create_bd_cell -type ip -vlnv [ip zynq_ultra_ps_e] ps
if {$board_part ne ""} {
    apply_bd_automation -rule xilinx.com:bd_rule:zynq_ultra_ps_e \
        -config {apply_board_preset 1} [get_bd_cells ps]
}
set_property -dict {
    CONFIG.PSU__FPGA_PL0_ENABLE 1
    CONFIG.PSU__CRL_APB__PL0_REF_CTRL__FREQMHZ ${core_mhz}
    CONFIG.PSU__USE__M_AXI_GP0 1
    CONFIG.PSU__USE__M_AXI_GP1 0
    CONFIG.PSU__USE__M_AXI_GP2 0
    CONFIG.PSU__USE__S_AXI_GP2 1
    CONFIG.PSU__SAXIGP2__DATA_WIDTH 128
    CONFIG.PSU__USE__S_AXI_GP3 1
    CONFIG.PSU__SAXIGP3__DATA_WIDTH 128
    CONFIG.PSU__USE__S_AXI_GP4 1
    CONFIG.PSU__SAXIGP4__DATA_WIDTH 128
    CONFIG.PSU__USE__IRQ0 1
} [get_bd_cells ps]
set clock ps/pl_clk0
set reset ps/pl_resetn0
set clocks {ps/maxihpm0_fpd_aclk ps/saxihp0_fpd_aclk ps/saxihp1_fpd_aclk ps/saxihp2_fpd_aclk}
set master ps/M_AXI_HPM0_FPD
set slaves {ps/S_AXI_HP0_FPD ps/S_AXI_HP1_FPD ps/S_AXI_HP2_FPD}
set interrupt ps/pl_ps_irq0
#% end
set dma_base ${control_base}
set core_base ${second_base}

# One clock and one reset for all.
foreach pin [concat $clocks {
    core/clock reset/slowest_sync_clk axi_dma_0/s_axi_lite_aclk axi_dma_0/m_axi_mm2s_aclk
    control/aclk bank0/aclk bank1/aclk instructions/aclk
}] {
    connect_bd_net [get_bd_pins $clock] [get_bd_pins $pin]
}
connect_bd_net [get_bd_pins $reset] [get_bd_pins reset/ext_reset_in]
foreach pin {
    core/reset axi_dma_0/axi_resetn control/aresetn bank0/aresetn bank1/aresetn
    instructions/aresetn
} {
    connect_bd_net [get_bd_pins reset/peripheral_aresetn] [get_bd_pins $pin]
}

connect_bd_intf_net [get_bd_intf_pins $master] [get_bd_intf_pins control/S00_AXI]
connect_bd_intf_net [get_bd_intf_pins control/M00_AXI] [get_bd_intf_pins axi_dma_0/S_AXI_LITE]
connect_bd_intf_net [get_bd_intf_pins control/M01_AXI] [get_bd_intf_pins core/s_axi]
connect_bd_intf_net [get_bd_intf_pins axi_dma_0/M_AXIS_MM2S] [get_bd_intf_pins core/instruction]
foreach from {core/m_axi_dram0 core/m_axi_dram1 axi_dma_0/M_AXI_MM2S} \
        way {bank0 bank1 instructions} to $slaves {
    connect_bd_intf_net [get_bd_intf_pins $from] [get_bd_intf_pins $way/S00_AXI]
    connect_bd_intf_net [get_bd_intf_pins $way/M00_AXI] [get_bd_intf_pins $to]
}
connect_bd_net [get_bd_pins axi_dma_0/mm2s_introut] [get_bd_pins interrupts/In0]
connect_bd_net [get_bd_pins core/${interrupt}] [get_bd_pins interrupts/In1]
connect_bd_net [get_bd_pins interrupts/dout] [get_bd_pins $interrupt]

# Registers where software looks for them, memory where the processor has it.
assign_bd_address -offset $dma_base -range ${control_kib}K \
    [get_bd_addr_segs -of_objects [get_bd_intf_pins axi_dma_0/S_AXI_LITE]]
assign_bd_address -offset $core_base -range ${control_kib}K \
    [get_bd_addr_segs -of_objects [get_bd_intf_pins core/s_axi]]
assign_bd_address
validate_bd_design
save_bd_design

set design [get_files system.bd]
generate_target all $design
add_files -norecurse [make_wrapper -files $design -top]
set_property top system_wrapper [current_fileset]
update_compile_order -fileset sources_1

implement system_wrapper
# Bitstream and description of the hardware, for software tools.
write_hw_platform -fixed -include_bit -force [file join $build board.xsa]
puts "made [file join $build board.bit] and board.xsa"
