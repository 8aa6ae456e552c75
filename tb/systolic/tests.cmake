# Tests of the systolic family with Verilator: units, each in some configurations.

# Small ones that between them have every corner of the sizes.
set(SYSTOLIC_ARGUMENTS_usual --family systolic)
set(SYSTOLIC_ARGUMENTS_n4 --family systolic --rows 4 --cols 2 --ibuf-entries 32 --wbuf-entries 16
    --obuf-entries 32)
set(SYSTOLIC_ARGUMENTS_n3 --family systolic --rows 3 --cols 5 --ibuf-entries 16 --wbuf-entries 16
    --obuf-entries 32 --axi-data-width 32 --queue-depth 2 --token-depth 1)
set(SYSTOLIC_ARGUMENTS_n20 --family systolic --rows 20 --cols 7 --in-width 5 --weight-width 7
    --out-width 24 --requantise false --axi-data-width 256)
set(SYSTOLIC_ARGUMENTS_n16 --family systolic --rows 2 --cols 16 --in-width 16 --weight-width 12
    --ibuf-entries 128 --wbuf-entries 64 --obuf-entries 128 --axi-data-width 64)
set(SYSTOLIC_ARGUMENTS_n1 --family systolic --rows 1 --cols 1 --ibuf-entries 4 --wbuf-entries 4
    --obuf-entries 4 --queue-depth 1)
# Several instructions per beat, narrow addresses, odd depths.
set(SYSTOLIC_ARGUMENTS_wide --family systolic --axi-data-width 1024 --address-width 24
    --queue-depth 12 --token-depth 3 --config-address 128)

# The output of configuration `config` in ${GENERATED}/systolic_<config>.
function(macrame_systolic_generate config)
    if(TARGET generate_systolic_${config})
        return()
    endif()
    set(out ${GENERATED}/systolic_${config})
    add_custom_command(OUTPUT ${out}/manifest.json
        COMMAND macrame generate ${SYSTOLIC_ARGUMENTS_${config}} --out ${out}
                2> ${CMAKE_BINARY_DIR}/generate_systolic_${config}.log
                || (cat ${CMAKE_BINARY_DIR}/generate_systolic_${config}.log && false)
        DEPENDS macrame
        COMMENT "Generating systolic_${config}")
    add_custom_target(generate_systolic_${config} DEPENDS ${out}/manifest.json)
endfunction()

# The model `top` in `file`, with the units of configuration `config`, under
# tb/systolic/unit/<test>_tb.cpp.
function(macrame_systolic_add_test test config top file)
    set(name systolic_${test}_${config}_tb)
    set(out ${GENERATED}/systolic_${config})
    macrame_verilate(${name} ${GENERATED}/obj/${name} ${top}
        DEPENDS ${out}/manifest.json ${ARGN}
        SOURCES -y ${out}/rtl +libext+.v ${file})
    macrame_add_tb(${name} systolic tb/systolic/unit/${test}_tb.cpp ${name})
    add_dependencies(${name}_model generate_systolic_${config})
    add_dependencies(${name} generate_systolic_${config})
    target_include_directories(${name} PRIVATE ${out}/include)
endfunction()

# tb/systolic/unit/<unit>_tb.cpp against module systolic_<top> in the configurations that follow;
# tests are systolic_<unit>_<config>_tb.
function(macrame_systolic_unit_test unit top)
    macrame_test_configs(configs ${ARGN})
    foreach(config IN LISTS configs)
        macrame_systolic_generate(${config})
        macrame_systolic_add_test(${unit} ${config} systolic_${top}
            ${GENERATED}/systolic_${config}/rtl/systolic_${top}.v)
    endforeach()
endfunction()

macrame_systolic_unit_test(fetch fetch usual n3 wide LONG n16 n20)
macrame_systolic_unit_test(resolver resolver usual n3 n1 wide)
macrame_systolic_unit_test(control control usual wide)
# tb/systolic/unit/<test>_tb.cpp against several units (a list) that are joined by the names of ports.
function(macrame_systolic_joined_test test units)
    set(join ${MACRAME_SOURCE_DIR}/tb/common/join_units.py)
    macrame_test_configs(configs ${ARGN})
    foreach(config IN LISTS configs)
        macrame_systolic_generate(${config})
        set(out ${GENERATED}/systolic_${config})
        set(dut ${out}_duts/${test}_dut.v)
        add_custom_command(OUTPUT ${dut}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${out}_duts
            COMMAND Python3::Interpreter -B ${join} ${out}/rtl systolic ${test}_dut ${units} > ${dut}
            DEPENDS ${out}/manifest.json ${join}
            COMMENT "Joining units for ${test}")
        macrame_systolic_add_test(${test} ${config} ${test}_dut ${dut} ${dut})
    endforeach()
endfunction()

# Operations on the buffers.
set(SYSTOLIC_ARGUMENTS_w16 --family systolic --rows 9 --cols 4 --in-width 9 --weight-width 16
    --out-width 16 --ibuf-entries 64 --wbuf-entries 32 --obuf-entries 64 --requantise false)
set(SYSTOLIC_ARGUMENTS_w8 --family systolic --rows 5 --cols 3 --in-width 2 --weight-width 2
    --out-width 8 --ibuf-entries 2 --wbuf-entries 8 --obuf-entries 16 --requantise false)
macrame_systolic_joined_test(core "gemm;array;obuf;alu" usual n3 n1 w16 w8 LONG n4 n20 n16)

# Elements of all sizes, more columns than a beat has lanes.
set(SYSTOLIC_ARGUMENTS_c40 --family systolic --rows 40 --cols 40)
set(SYSTOLIC_ARGUMENTS_o12 --family systolic --rows 9 --cols 40 --in-width 9 --weight-width 8
    --out-width 12 --requantise false --address-width 16)
set(SYSTOLIC_ARGUMENTS_o8 --family systolic --rows 5 --cols 9 --weight-width 2 --out-width 8
    --ibuf-entries 4 --wbuf-entries 8 --obuf-entries 16 --requantise false --axi-data-width 32)
macrame_systolic_unit_test(load load usual n3 n16 n1 c40 o12 LONG n4 n20 wide o8)
# Scales of 18 bits, alone and in groups.
set(SYSTOLIC_ARGUMENTS_s8 --family systolic --rows 4 --cols 8 --ibuf-entries 32 --wbuf-entries 16
    --obuf-entries 32 --requantise true)
set(SYSTOLIC_ARGUMENTS_s40 --family systolic --cols 40 --requantise true)
macrame_systolic_unit_test(store store usual n3 n16 n1 c40 o12 s8 LONG n4 n20 wide o8 s40)

# Conformance data is taken from the folder in MACRAME_SYSTOLIC.
add_test(NAME systolic_simulate
    COMMAND Python3::Interpreter -B ${MACRAME_SOURCE_DIR}/verif/systolic/test/simulate_test.py
            $<TARGET_FILE:macrame>)
set_tests_properties(systolic_simulate PROPERTIES SKIP_RETURN_CODE 77)

# Nothing toggles in an idle machine but its clock.
add_test(NAME systolic_idle
    COMMAND Python3::Interpreter -B ${MACRAME_SOURCE_DIR}/tb/systolic/idle/idle_test.py
            $<TARGET_FILE:macrame>)
set_tests_properties(systolic_idle PROPERTIES SKIP_RETURN_CODE 77)

# Boards as programs, with the host at the other end of their serial line.
add_test(NAME boards_systolic
    COMMAND Python3::Interpreter -B ${MACRAME_SOURCE_DIR}/tb/systolic/board/board_test.py
            $<TARGET_FILE:macrame> ${CMAKE_BINARY_DIR}/boards_systolic)

# The bitstream of a small FPGA, with Debian's tools; it misses its clock or its room: no bitstream.
# It takes minutes; that of tcu goes the same way.
if(MACRAME_LONG_TESTS)
    add_test(NAME ice40_bitstream_systolic COMMAND ${MACRAME_SOURCE_DIR}/fpga/test/ice40_test.sh
        $<TARGET_FILE:macrame> ${MACRAME_SOURCE_DIR}/scripts/systolic/ice40.toml)
    set_tests_properties(ice40_bitstream_systolic PROPERTIES SKIP_RETURN_CODE 77)
endif()
