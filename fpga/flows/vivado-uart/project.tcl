# ${configuration} on ${board} (${part}), ${core_mhz} MHz. Made by macrame ${version} for Vivado 2022.2.
#   vivado -mode batch -source project.tcl
# Makes the project in build/, then netlist, place and route, bitstream; reports in build/reports.
set here [file dirname [file normalize [info script]]]
set build [file join $here build]
set reports [file join $build reports]

create_project board $build -part ${part} -force
set list [open [file join $here filelist.f]]
set files {}
foreach name [split [string trim [read $list]] "\n"] {
    lappend files [file join $here $name]
}
close $list
add_files -norecurse $files
add_files -fileset constrs_1 -norecurse [file join $here pins.xdc]
set_property top board_top [current_fileset]
update_compile_order -fileset sources_1

launch_runs synth_1 -jobs 4
wait_on_run synth_1
if {[get_property PROGRESS [get_runs synth_1]] ne "100%"} {
    error "synthesis failed, see [get_property DIRECTORY [get_runs synth_1]]/runme.log"
}
launch_runs impl_1 -to_step write_bitstream -jobs 4
wait_on_run impl_1
if {[get_property PROGRESS [get_runs impl_1]] ne "100%"} {
    error "place and route failed, see [get_property DIRECTORY [get_runs impl_1]]/runme.log"
}

file mkdir $reports
open_run impl_1
report_utilization -file [file join $reports utilization.txt]
report_utilization -hierarchical -file [file join $reports utilization_units.txt]
report_timing_summary -file [file join $reports timing.txt]
report_drc -file [file join $reports drc.txt]
report_power -file [file join $reports power.txt]
set slack [get_property SLACK [lindex [get_timing_paths -max_paths 1] 0]]
puts "worst slack at ${core_mhz} MHz: $slack ns"
file copy -force [file join [get_property DIRECTORY [get_runs impl_1]] board_top.bit] \
    [file join $build board.bit]
puts "made [file join $build board.bit]"
