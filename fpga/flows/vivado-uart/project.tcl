# ${configuration} on ${board} (${part}), ${core_mhz} MHz. Made by macrame ${version} for Vivado 2022.2.
#   vivado -mode batch -source project.tcl
# Makes the project in build/, then netlist, place and route, bitstream; reports in build/reports.
set here [file dirname [file normalize [info script]]]
source [file join $here implement.tcl]

create_project board $build -part ${part} -force
add_design
add_files -fileset constrs_1 -norecurse [file join $here pins.xdc]
set_property top board_top [current_fileset]
update_compile_order -fileset sources_1
implement board_top
puts "made [file join $build board.bit]"
