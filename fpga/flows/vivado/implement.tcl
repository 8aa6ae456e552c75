# What projects of Vivado have in common; `here` is their folder.
set build [file join $here build]
set reports [file join $build reports]

# Adds the files of the design.
proc add_design {} {
    global here
    set list [open [file join $here filelist.f]]
    set files {}
    foreach name [split [string trim [read $list]] "\n"] {
        lappend files [file join $here $name]
    }
    close $list
    add_files -norecurse $files
}

# Carries out a run; its log tells why it failed.
proc carry_out {run args} {
    launch_runs $run {*}$args -jobs 4
    wait_on_run $run
    if {[get_property PROGRESS [get_runs $run]] ne "100%"} {
        error "$run failed, see [get_property DIRECTORY [get_runs $run]]/runme.log"
    }
}

# Netlist, place and route, reports, bitstream of the top. A design that misses its clock gives no
# bitstream.
proc implement {top} {
    global build reports
    carry_out synth_1
    carry_out impl_1 -to_step write_bitstream
    file mkdir $reports
    open_run impl_1
    report_utilization -file [file join $reports utilization.txt]
    report_utilization -hierarchical -file [file join $reports utilization_units.txt]
    report_timing_summary -file [file join $reports timing.txt]
    report_drc -file [file join $reports drc.txt]
    report_power -file [file join $reports power.txt]
    set slack [get_property SLACK [lindex [get_timing_paths -max_paths 1] 0]]
    puts "worst slack at ${core_mhz} MHz: $slack ns"
    if {$slack < 0} {
        error "misses ${core_mhz} MHz by [expr {-$slack}] ns: want a lower --mhz, see $reports/timing.txt"
    }
    file copy -force [file join [get_property DIRECTORY [get_runs impl_1]] $top.bit] \
        [file join $build board.bit]
}
