# Tests of the tcu family with Verilator: units, each in some configurations.

# Small ones that between them have every type and every corner of the sizes.
set(TCU_ARGUMENTS_usual --family tcu)
set(TCU_ARGUMENTS_n2 --family tcu --array-size 2 --local-depth 22 --accumulator-depth 24
    --dram0-depth 128 --dram1-depth 64 --stride0-depth 2 --stride1-depth 2 --axi-data-width 128
    --queue-depth 16)
set(TCU_ARGUMENTS_n4 --family tcu --array-size 4 --data-type FP8BP4 --simd-registers-depth 2
    --local-depth 64 --accumulator-depth 32 --stride0-depth 1 --axi-data-width 32
    --weight-buffers 2)
set(TCU_ARGUMENTS_n12 --family tcu --array-size 12 --data-type FP18BP10 --simd-registers-depth 3
    --local-depth 1000 --accumulator-depth 300 --axi-data-width 64 --weight-buffers 2)
set(TCU_ARGUMENTS_n16 --family tcu --array-size 16 --data-type FP32BP16 --simd-registers-depth 0
    --axi-data-width 512)
# Vectors of a few beats, beats of a few vectors.
set(TCU_ARGUMENTS_zcu104 --preset zcu104)
set(TCU_ARGUMENTS_custom_perf --preset custom_perf)
set(TCU_ARGUMENTS_wide --family tcu --array-size 4 --data-type FP18BP10 --axi-data-width 1024)

# The output of configuration `config` in ${GENERATED}/tcu_<config>, target generate_tcu_<config>.
function(macrame_tcu_generate config)
    if(TARGET generate_tcu_${config})
        return()
    endif()
    set(out ${GENERATED}/tcu_${config})
    add_custom_command(OUTPUT ${out}/manifest.json
        COMMAND macrame generate ${TCU_ARGUMENTS_${config}} --out ${out}
                2> ${CMAKE_BINARY_DIR}/generate_tcu_${config}.log
                || (cat ${CMAKE_BINARY_DIR}/generate_tcu_${config}.log && false)
        DEPENDS macrame
        COMMENT "Generating tcu_${config}")
    add_custom_target(generate_tcu_${config} DEPENDS ${out}/manifest.json)
endfunction()

# The model `top` in `file`, with the units of configuration `config`, under tb/tcu/unit/<test>_tb.cpp.
function(macrame_tcu_add_test test config top file)
    set(name tcu_${test}_${config}_tb)
    set(out ${GENERATED}/tcu_${config})
    macrame_verilate(${name} ${GENERATED}/obj/${name} ${top}
        DEPENDS ${out}/manifest.json ${ARGN}
        SOURCES -y ${out}/rtl +libext+.v ${file})
    macrame_add_tb(${name} tcu tb/tcu/unit/${test}_tb.cpp ${name})
    add_dependencies(${name}_model generate_tcu_${config})
    add_dependencies(${name} generate_tcu_${config})
    target_include_directories(${name} PRIVATE ${out}/include)
endfunction()

# tb/tcu/unit/<unit>_tb.cpp against tcu_<unit> in the configurations that follow; tests are
# tcu_<unit>_<config>_tb.
function(macrame_tcu_unit_test unit)
    macrame_test_configs(configs ${ARGN})
    foreach(config IN LISTS configs)
        macrame_tcu_generate(${config})
        macrame_tcu_add_test(${unit} ${config} tcu_${unit}
            ${GENERATED}/tcu_${config}/rtl/tcu_${unit}.v)
    endforeach()
endfunction()

# tb/tcu/unit/<test>_tb.cpp against several units (a list) that are joined by the names of ports.
function(macrame_tcu_joined_test test units)
    set(join ${MACRAME_SOURCE_DIR}/tb/common/join_units.py)
    macrame_test_configs(configs ${ARGN})
    foreach(config IN LISTS configs)
        macrame_tcu_generate(${config})
        set(out ${GENERATED}/tcu_${config})
        set(dut ${out}_duts/${test}_dut.v)
        add_custom_command(OUTPUT ${dut}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${out}_duts
            COMMAND Python3::Interpreter -B ${join} ${out}/rtl tcu ${test}_dut ${units} > ${dut}
            DEPENDS ${out}/manifest.json ${join}
            COMMENT "Joining units for ${test}")
        macrame_tcu_add_test(${test} ${config} ${test}_dut ${dut} ${dut})
    endforeach()
endfunction()

# Two vectors per cycle.
set(TCU_ARGUMENTS_pairs --family tcu --array-vectors 2)
set(TCU_ARGUMENTS_pairs_n4 ${TCU_ARGUMENTS_n4} --array-vectors 2)
macrame_tcu_unit_test(local usual n2 n12 pairs)
macrame_tcu_unit_test(issue usual n2 pairs_n4 LONG pairs)
macrame_tcu_joined_test(streams "feed;weights;local" usual n2 n12 pairs_n4 LONG n4 n16 pairs)
set(TCU_ARGUMENTS_n3 --family tcu --array-size 3 --data-type FP32BP16 --simd-registers-depth 4
    --local-depth 50 --accumulator-depth 33 --stride1-depth 1)
macrame_tcu_unit_test(array n2 n3 pairs_n4 LONG usual n4 n12 pairs)
set(TCU_ARGUMENTS_sampled --family tcu --array-size 4 --sample-block-size 7)
set(TCU_ARGUMENTS_sampled_1 --family tcu --array-size 4 --sample-block-size 1)
macrame_tcu_unit_test(sample sampled sampled_1)
# Lookup tables: a depth that is no power of two, the largest and the smallest one.
set(TCU_ARGUMENTS_tables --family tcu --array-vectors 2 --simd-registers-depth 5 --lut-tables 2
    --lut-depth 21 --local-depth 128 --accumulator-depth 63)
set(TCU_ARGUMENTS_tables_256 --family tcu --array-size 4 --data-type FP8BP4 --lut-tables 1
    --lut-depth 256 --simd-registers-depth 3 --local-depth 600 --accumulator-depth 32
    --validate-instructions true)
set(TCU_ARGUMENTS_tables_2 ${TCU_ARGUMENTS_n3} --lut-tables 4 --lut-depth 2
    --validate-instructions true)
macrame_tcu_unit_test(acc usual n3 pairs_n4 tables tables_256
    LONG n2 n4 n12 n16 pairs tables_2)
foreach(unit load store)
    macrame_tcu_unit_test(${unit} usual n2 n12 n16 wide LONG n4 zcu104 custom_perf)
endforeach()
set(TCU_ARGUMENTS_pairs_n2 ${TCU_ARGUMENTS_n2} --array-vectors 2)
macrame_tcu_unit_test(load pairs_n2 LONG pairs pairs_n4)
# Instructions of 9 and of 12 bytes on beats of 4, 8 and 128; decode with all of its options.
set(TCU_ARGUMENTS_i9_4 --preset ultra96v2 --axi-data-width 32)
set(TCU_ARGUMENTS_i9_128 --preset zcu104 --axi-data-width 1024)
set(TCU_ARGUMENTS_i12_8 --family tcu --local-depth 65536 --dram0-depth 2000000000
    --stride0-depth 16 --stride1-depth 16 --simd-registers-depth 16 --axi-data-width 64)
macrame_tcu_unit_test(fetch usual n2 i9_4 i9_128 i12_8)
set(TCU_ARGUMENTS_decode_n2 ${TCU_ARGUMENTS_n2} --status-port true --validate-instructions true
    --order-blocks 16)
set(TCU_ARGUMENTS_decode_n4 ${TCU_ARGUMENTS_n4} --validate-instructions true)
set(TCU_ARGUMENTS_tiny ${TCU_ARGUMENTS_n2} --order-blocks none --transfer-depth 2)
set(TCU_ARGUMENTS_tiny_8 --family tcu --array-size 2 --data-type FP8BP4 --local-depth 64
    --accumulator-depth 32 --dram0-depth 128 --dram1-depth 128 --stride0-depth 2 --stride1-depth 2
    --axi-data-width 32 --queue-depth 4 --order-blocks none --transfer-depth 2 --weight-buffers 2)
macrame_tcu_unit_test(decode usual zcu104 decode_n2 decode_n4 tables_2 tiny
    LONG n12 tables tables_256 tiny_8)

# Products in DSP blocks, memories in block RAM.
add_test(NAME tcu_inference COMMAND Python3::Interpreter -B
    ${MACRAME_SOURCE_DIR}/scripts/tcu/inference_test.py $<TARGET_FILE:macrame>)
set_tests_properties(tcu_inference PROPERTIES SKIP_RETURN_CODE 77)

# Tables of cycles and samples of a design.
add_test(NAME tcu_samples COMMAND Python3::Interpreter -B
    ${MACRAME_SOURCE_DIR}/scripts/tcu/samples_test.py $<TARGET_FILE:macrame>)

# Boards as programs, with the host at the other end of their serial line.
add_test(NAME boards_tcu
    COMMAND Python3::Interpreter ${MACRAME_SOURCE_DIR}/tb/tcu/board/board_test.py
            $<TARGET_FILE:macrame> ${CMAKE_BINARY_DIR}/boards_tcu)
add_test(NAME vivado_tcl_tcu COMMAND Python3::Interpreter
    ${MACRAME_SOURCE_DIR}/fpga/test/vivado_test.py $<TARGET_FILE:macrame>
        "--family tcu --array-size 4 --local-depth 1024 --queue-depth 256 --axi-data-width 64"
        arty-a7-100t cmod-a7-35t pynq-z1 zybo-z7-20 ultra96-v2 kv260 zcu104)
add_test(NAME devicetree_tcu COMMAND Python3::Interpreter
    ${MACRAME_SOURCE_DIR}/fpga/test/devicetree_test.py $<TARGET_FILE:macrame>
        "--family tcu --array-size 4 --local-depth 1024 --queue-depth 256 --axi-data-width 64"
        pynq-z1 zcu104)
set_tests_properties(devicetree_tcu PROPERTIES SKIP_RETURN_CODE 77)

# The bitstream of a small FPGA, with Debian's tools; it misses its clock or its room: no bitstream.
add_test(NAME ice40_bitstream COMMAND ${MACRAME_SOURCE_DIR}/fpga/test/ice40_test.sh
    $<TARGET_FILE:macrame> ${MACRAME_SOURCE_DIR}/scripts/tcu/ice40.toml)
set_tests_properties(ice40_bitstream PROPERTIES SKIP_RETURN_CODE 77)
