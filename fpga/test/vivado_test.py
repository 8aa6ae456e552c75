#!/usr/bin/env python3
"""The Tcl of Vivado projects in an interpreter that knows the commands which the projects use, each
with the options that the documentation of Vivado 2022.2 gives it (UG835).

    vivado_test.py MACRAME OPTIONS BOARD...        OPTIONS: of `macrame fpga`, in one argument
"""

import pathlib
import subprocess
import sys
import tempfile

# Command: options without a value, options with one.
COMMANDS = {
    "create_project": ("-force -in_memory -quiet", "-part"),
    "get_board_parts": ("-quiet -latest_file_version", "-filter"),
    "current_project": ("-quiet", ""),
    "set_property": ("-quiet", "-dict"),
    "add_files": ("-norecurse -quiet", "-fileset"),
    "update_compile_order": ("-quiet", "-fileset"),
    "current_fileset": ("-constrset -simset -quiet", ""),
    "create_bd_design": ("-quiet", "-dir -cell"),
    "create_bd_cell": ("-quiet", "-type -vlnv -reference"),
    "get_bd_cells": ("-quiet -hierarchical", "-filter -of_objects"),
    "get_ipdefs": ("-all -quiet", "-filter"),
    "apply_bd_automation": ("-quiet", "-rule -config -opts"),
    "connect_bd_net": ("-quiet", "-net"),
    "connect_bd_intf_net": ("-quiet", "-intf_net"),
    "get_bd_pins": ("-quiet", "-of_objects"),
    "get_bd_intf_pins": ("-quiet", "-of_objects"),
    "get_bd_addr_segs": ("-quiet", "-of_objects"),
    "assign_bd_address": ("-quiet -boundary -force", "-offset -range -target_address_space"),
    "validate_bd_design": ("-force -quiet", ""),
    "save_bd_design": ("-quiet", ""),
    "get_files": ("-quiet -all", "-of_objects -filter"),
    "generate_target": ("-force -quiet", ""),
    "make_wrapper": ("-top -testbench -import -force -quiet", "-files"),
    "launch_runs": ("-force -quiet", "-jobs -to_step -dir"),
    "wait_on_run": ("-quiet", "-timeout"),
    "get_runs": ("-quiet", "-filter"),
    "get_property": ("-quiet -min -max", ""),
    "open_run": ("-quiet", "-name"),
    "report_utilization": ("-hierarchical -quiet", "-file"),
    "report_timing_summary": ("-quiet", "-file -max_paths"),
    "report_drc": ("-quiet", "-file"),
    "report_power": ("-quiet", "-file"),
    "get_timing_paths": ("-quiet", "-max_paths -from -to"),
    "write_hw_platform": ("-fixed -include_bit -force -quiet", ""),
    "create_clock": ("-add -quiet", "-name -period -waveform"),
    "get_ports": ("-quiet", "-filter"),
    "set_false_path": ("-setup -hold -quiet", "-from -to -through"),
}

# What the stubs return: enough for the script to go on.
HARNESS = """
proc stub {name flags valued arguments} {
    for {set i 0} {$i < [llength $arguments]} {incr i} {
        set word [lindex $arguments $i]
        if {![string match {-[a-z]*} $word]} continue
        if {$word in $valued} {
            incr i
            if {$i >= [llength $arguments]} { error "$name: no value of $word" }
        } elseif {$word ni $flags} { error "$name: no option $word" }
    }
    lappend ::called $name
    switch $name {
        get_property {
            switch [lindex $arguments 0] {
                PROGRESS { return "100%" }
                SLACK { return $::slack }
                default { return $::scratch }
            }
        }
        get_ipdefs { return "[lindex $arguments 0] xilinx.com:ip:newest:9.9" }
        get_board_parts { return [expr {$::has_board ? "vendor:board:part0:1.0" : ""}] }
        set_property {
            if {"-dict" in $arguments} {
                set list [lindex $arguments [lsearch $arguments -dict]+1]
                if {[llength $list] % 2} { error "set_property: odd list $list" }
            }
        }
    }
    return $name
}
set called {}
foreach {name flags valued} $commands {
    proc $name args "stub $name {$flags} {$valued} \\$args"
}
rename file builtin_file
proc file {command args} {
    if {$command in {mkdir copy}} { return }
    return [uplevel builtin_file $command $args]
}
"""


def check(macrame, options, board, folder):
    out = folder / board
    subprocess.run([macrame, "fpga", "--board", board, *options, "--out", out], check=True,
                   stdout=subprocess.DEVNULL)
    commands = " ".join(f"{name} {{{flags}}} {{{valued}}}"
                        for name, (flags, valued) in COMMANDS.items())
    scripts = [path for path in (out / "project.tcl", out / "pins.xdc") if path.exists()]
    for has_board, slack in ((0, 0.1), (1, 0.0), (1, -0.5)):
        text = f"set commands {{{commands}}}\nset has_board {has_board}\n"
        text += f"set scratch {folder}\nset slack {slack}\n"
        text += HARNESS + "".join(f"source {path}\n" for path in scripts)
        text += 'puts "commands: [lsort -unique $called]"\n'
        (folder / "run.tcl").write_text(text)
        done = subprocess.run(["tclsh", folder / "run.tcl"], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        if slack < 0:
            assert done.returncode != 0 and "MHz by 0.5 ns: want a lower" in done.stdout, done.stdout
            assert "made " not in done.stdout, done.stdout
            continue
        assert done.returncode == 0, f"{board}: {done.stdout}"
        assert "report_timing_summary" in done.stdout, done.stdout
        assert "board.bit" in done.stdout, done.stdout


def main():
    macrame, options = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2].split()
    boards = sys.argv[3:]
    with tempfile.TemporaryDirectory() as folder:
        for board in boards:
            check(macrame, options, board, pathlib.Path(folder))
    print(f"{len(boards)} projects for Vivado")


if __name__ == "__main__":
    main()
