# Tests of the dla family with Verilator: a test per unit and configuration; the installation.

set(DLA_UNITS cfgrom glb csb_master mcif cvif cdma cbuf csc cmac cacc sdp_rdma sdp pdp_rdma pdp
    cdp_rdma cdp bdma rubik row axi_lite apb sysctl axi_mem)

# The configurations every unit is tested in.
set(TEST_CONFIGS nv_small channels32 medium)
set(TEST_ARGUMENTS_nv_small --preset nv_small)
set(TEST_ARGUMENTS_channels32 --preset nv_small --mac-atomic-c-size 32 --mac-atomic-k-size 16
    --retiming-enable --cfgrom-words derived --cdp-throughput 8 --pdp-throughput 4
    --sdp-ew-enable true --sdp-ew-throughput 2 --sdp-lut-enable true
    --secondary-memif-enable true --secondary-memif-width 256 --secondary-memif-latency 100
    --secondary-memif-max-burst-length 4)
set(TEST_ARGUMENTS_medium --preset nv_medium_512)
set(TEST_CONFIGS_mcif ${TEST_CONFIGS} full)
set(TEST_CONFIGS_cvif channels32 full)  # those with a second memory port
# Clocks that stop, FIFOs in block RAM.
set(TEST_ARGUMENTS_gated ${TEST_ARGUMENTS_channels32} --clock-gating --primary-memif-latency 1024)
foreach(unit cdma sdp_rdma pdp_rdma cdp_rdma)
    set(TEST_CONFIGS_${unit} ${TEST_CONFIGS} gated)
endforeach()
# Those with types of 16 bits, see below.
foreach(unit cdma cbuf csc cmac cacc sdp_rdma sdp pdp_rdma pdp cdp_rdma cdp)
    if(NOT DEFINED TEST_CONFIGS_${unit})
        set(TEST_CONFIGS_${unit} ${TEST_CONFIGS})
    endif()
    list(APPEND TEST_CONFIGS_${unit} full int16 fp16 whole_atoms)
endforeach()
# Those with bridges to standard buses.
set(TEST_ARGUMENTS_axi4 --preset nv_large --control-bus axi4-lite --memory-bus axi4)
set(TEST_ARGUMENTS_axi3 --preset nv_medium_512 --control-bus apb4 --memory-bus axi3)
set(TEST_CONFIGS_axi_lite axi4)
set(TEST_CONFIGS_apb axi3)
set(TEST_CONFIGS_sysctl axi4 axi3 axi_own)
set(TEST_ARGUMENTS_axi_32 --preset nv_medium_512 --memory-bus axi4 --memory-bus-width 32)
set(TEST_ARGUMENTS_axi_256 --preset nv_small --primary-memif-max-burst-length 4 --memory-bus axi4
    --memory-bus-width 256)
set(TEST_ARGUMENTS_axi_own --control-bus apb4 --memory-bus axi4 --bus-clock own)
set(TEST_CONFIGS_axi_mem axi4 axi3 axi_32 axi_256)
set(OTHER_CONFIGS full integers)
# Those with types of 16 bits.
set(TYPES16_CONFIGS full int16 fp16 whole_atoms movers_int16 movers_fp16 integers)
set(TEST_ARGUMENTS_full --preset nv_full)
set(TEST_ARGUMENTS_int16 --preset nv_small --feature-data-types INT8,INT16
    --mac-atomic-c-size 16 --mac-atomic-k-size 16 --sdp-bs-throughput 2 --sdp-bn-throughput 4
    --pdp-throughput 2 --cdp-throughput 4
    --sdp-ew-enable --sdp-ew-throughput 2 --sdp-lut-enable)
# An atom per cycle, which leaves no time between elements of the same channel.
set(TEST_ARGUMENTS_whole_atoms --preset nv_small --feature-data-types INT8,FP16 --pdp-throughput 8
    --cdp-throughput 8)
set(TEST_ARGUMENTS_fp16 --preset nv_small --feature-data-types FP16 --pdp-throughput 2
    --cdp-throughput 2 --sdp-ew-enable --sdp-ew-throughput 1 --sdp-lut-enable)
# Compressed weights in entries of another size, one memory port, clocks that stop.
set(TEST_ARGUMENTS_masks ${TEST_ARGUMENTS_int16} --weight-compression-enable --clock-gating)
list(APPEND OTHER_CONFIGS masks)
foreach(unit cdma cbuf csc cdp)
    list(APPEND TEST_CONFIGS_${unit} masks)
endforeach()
# All element types, whose results take different times, and clocks that stop between layers.
set(TEST_ARGUMENTS_types_gated --preset nv_small --feature-data-types INT8,INT16,FP16
    --pdp-throughput 4 --cdp-throughput 4 --sdp-bs-throughput 2 --sdp-bn-throughput 4
    --sdp-ew-enable --sdp-ew-throughput 1 --sdp-lut-enable --clock-gating)
list(APPEND TYPES16_CONFIGS types_gated)
foreach(unit cdma csc cmac cacc sdp_rdma sdp pdp_rdma pdp cdp_rdma cdp)
    list(APPEND TEST_CONFIGS_${unit} types_gated)
endforeach()
# With the units that move data in memory: atoms of 8, 16 and (full) 32 bytes.
set(MOVERS --bdma-enable --rubik-enable --rubik-contract-enable --rubik-reshape-enable)
set(TEST_ARGUMENTS_movers --preset nv_small ${MOVERS})
set(TEST_ARGUMENTS_movers_gated ${TEST_ARGUMENTS_gated} ${MOVERS})
set(TEST_CONFIGS_bdma movers movers_gated full)
set(TEST_CONFIGS_glb ${TEST_CONFIGS} movers)
# Both element sizes, or parts of RUBIK alone.
set(TEST_ARGUMENTS_movers_int16 ${TEST_ARGUMENTS_int16} ${MOVERS})
set(TEST_ARGUMENTS_movers_fp16 ${TEST_ARGUMENTS_fp16} --rubik-enable --rubik-reshape-enable)
set(TEST_ARGUMENTS_contract --preset nv_medium_512 --rubik-enable --rubik-contract-enable)
# Integers of both sizes with Winograd; the half of the MAC array with register slices.
set(TEST_ARGUMENTS_integers --preset nv_large --feature-data-types INT8,INT16 --cbuf-bank-depth 256
    --winograd-enable --clock-gating --retiming-enable)
list(APPEND TEST_CONFIGS_cacc integers)
# Winograd with one memory port, where data and weights have one way into CBUF.
set(TEST_ARGUMENTS_tiles ${TEST_ARGUMENTS_integers} --secondary-memif-enable false)
list(APPEND OTHER_CONFIGS tiles)
list(APPEND TYPES16_CONFIGS tiles)
list(APPEND TEST_CONFIGS_cdma tiles)
# Winograd of one type; with and without compressed weights, batches and clocks that stop.
set(TEST_ARGUMENTS_tiles_int16 --preset nv_large --feature-data-types INT16 --mac-atomic-k-size 16
    --cbuf-bank-depth 256 --winograd-enable --weight-compression-enable --clock-gating)
set(TEST_ARGUMENTS_tiles_fp16 --preset nv_large --feature-data-types FP16 --mac-atomic-k-size 16
    --cbuf-bank-depth 256 --winograd-enable --batch-enable --max-batch-size 16)
list(APPEND OTHER_CONFIGS tiles_int16 tiles_fp16)
list(APPEND TYPES16_CONFIGS tiles_int16 tiles_fp16)
list(APPEND TEST_CONFIGS_csc integers tiles_int16 tiles_fp16)
list(APPEND TEST_CONFIGS_cmac tiles_fp16)
# Weights in pairs of atoms: beats of four and of two, entries of four with masks and clocks that
# stop, entries of two.
set(TEST_ARGUMENTS_pairs --feature-data-types INT8,FP16 --mac-atomic-c-size 32
    --mac-atomic-k-size 16 --cbuf-bank-number 16 --cbuf-bank-depth 128 --weight-compression-enable
    --primary-memif-width 512 --primary-memif-max-burst-length 4 --secondary-memif-enable
    --secondary-memif-width 256 --secondary-memif-latency 40 --secondary-memif-max-burst-length 1
    --pdp-throughput 2 --cdp-throughput 2 --clock-gating)
set(TEST_ARGUMENTS_pairs_int16 --feature-data-types INT16 --mac-atomic-c-size 16
    --mac-atomic-k-size 8 --cbuf-bank-number 16 --cbuf-bank-depth 256 --primary-memif-width 256
    --secondary-memif-enable --secondary-memif-width 512 --secondary-memif-latency 40
    --secondary-memif-max-burst-length 4 --pdp-throughput 2 --cdp-throughput 2)
list(APPEND OTHER_CONFIGS pairs pairs_int16)
list(APPEND TYPES16_CONFIGS pairs pairs_int16)
list(APPEND TEST_CONFIGS_mcif pairs)
list(APPEND TEST_CONFIGS_cvif pairs pairs_int16)
foreach(unit cdma cbuf)
    list(APPEND TEST_CONFIGS_${unit} pairs pairs_int16)
endforeach()
set(RETIMED_CONFIGS channels32 integers)
set(RETIMED_TBS cmac_tb.cpp cmac_types16_tb.cpp)
set(TEST_CONFIGS_rubik movers movers_gated full movers_int16 movers_fp16 contract)
# ROW: an element, whole atoms and parts of them per cycle.
set(TEST_ARGUMENTS_row --preset nv_small --row-enable)
set(TEST_ARGUMENTS_row_atoms --preset nv_small --row-enable --row-throughput 8 --row-length 1024)
set(TEST_ARGUMENTS_row_gated ${TEST_ARGUMENTS_gated} --row-enable --row-throughput 4
    --row-length 256)
set(TEST_CONFIGS_row row row_atoms row_gated)
list(APPEND TEST_CONFIGS_glb row)
foreach(config IN LISTS TEST_CONFIGS OTHER_CONFIGS ITEMS gated int16 fp16 whole_atoms types_gated
        movers movers_gated movers_int16 movers_fp16 contract row row_atoms row_gated axi4 axi3
        axi_32 axi_256 axi_own)
    add_custom_command(OUTPUT ${GENERATED}/${config}/manifest.json
        COMMAND macrame generate ${TEST_ARGUMENTS_${config}} --out ${GENERATED}/${config}
                2> ${CMAKE_BINARY_DIR}/generate_${config}.log
                || (cat ${CMAKE_BINARY_DIR}/generate_${config}.log && false)
        DEPENDS macrame
        COMMENT "Generating ${config}")
    add_custom_target(generate_${config} DEPENDS ${GENERATED}/${config}/manifest.json)
endforeach()

# tb/dla/unit/<unit>_tb.cpp against dla_<unit> in every test configuration that has the unit; with
# types of 16 bits <unit>_types16_tb.cpp, if there is one.
function(macrame_unit_test unit)
    set(configs ${TEST_CONFIGS})
    if(DEFINED TEST_CONFIGS_${unit})
        set(configs ${TEST_CONFIGS_${unit}})
    endif()
    foreach(config IN LISTS configs)
        set(name ${unit}_${config}_tb)
        set(out ${GENERATED}/${config})
        macrame_verilate(${name} ${GENERATED}/obj/${name} dla_${unit}
            DEPENDS ${out}/manifest.json
            SOURCES -y ${out}/rtl +libext+.v ${out}/rtl/dla_${unit}.v)
        set(tb tb/dla/unit/${unit}_tb.cpp)
        set(types16_tb tb/dla/unit/${unit}_types16_tb.cpp)
        if(config IN_LIST TYPES16_CONFIGS AND EXISTS ${CMAKE_SOURCE_DIR}/${types16_tb})
            set(tb ${types16_tb})
        endif()
        macrame_add_tb(${name} dla ${tb} ${name})
        add_dependencies(${name} generate_${config})
        target_include_directories(${name} PRIVATE ${out}/include)
        target_compile_definitions(${name} PRIVATE CONFIG_NAME="${config}")
    endforeach()
endfunction()

# The arithmetic of nv_full takes Verilator and its compiler longer than all other units; smaller
# configurations have the same in parts. Of the others are left for LONG those whose parts come in
# one that stays: types of 16 bits alone are in types_gated, tiles of both sizes in tiles and
# regress.py, and so on.
set(LONG_CONFIGS medium int16 fp16 pairs_int16 tiles_int16 tiles_fp16 movers_int16 movers_fp16)
if(NOT MACRAME_LONG_TESTS)
    foreach(unit csc cmac cacc sdp pdp cdp)
        list(REMOVE_ITEM TEST_CONFIGS_${unit} full)
    endforeach()
    list(REMOVE_ITEM TEST_CONFIGS ${LONG_CONFIGS})
    foreach(unit IN LISTS DLA_UNITS)
        list(REMOVE_ITEM TEST_CONFIGS_${unit} ${LONG_CONFIGS})
    endforeach()
    foreach(unit cdma cbuf csc cmac cacc sdp_rdma sdp pdp_rdma cdp_rdma)
        list(REMOVE_ITEM TEST_CONFIGS_${unit} whole_atoms)
    endforeach()
endif()
foreach(unit IN LISTS DLA_UNITS)
    macrame_unit_test(${unit})
endforeach()

# The half of the MAC array with register slices, as the same test sees it.
foreach(config tb IN ZIP_LISTS RETIMED_CONFIGS RETIMED_TBS)
    set(name cmac_retimed_${config}_tb)
    macrame_verilate(${name} ${GENERATED}/obj/${name} dla_cmac_retimed
        DEPENDS ${GENERATED}/${config}/manifest.json
        SOURCES -y ${GENERATED}/${config}/rtl +libext+.v ${GENERATED}/${config}/rtl/dla_cmac_retimed.v)
    macrame_add_tb(${name} dla tb/dla/unit/${tb} ${name})
    add_dependencies(${name} generate_${config})
    target_include_directories(${name} PRIVATE ${GENERATED}/${config}/include)
    target_compile_definitions(${name} PRIVATE CONFIG_NAME="retimed" SLICES=2)
endforeach()

# The half with the products that projects for ECP5 have.
set(ECP5_CELLS ${MACRAME_SOURCE_DIR}/templates/dla/fpga/ecp5)
macrame_verilate(cmac_ecp5_tb ${GENERATED}/obj/cmac_ecp5_tb dla_cmac
    DEPENDS ${GENERATED}/nv_small/manifest.json ${ECP5_CELLS}/dla_cmac_dot.v
    SOURCES -y ${ECP5_CELLS} -y ${GENERATED}/nv_small/rtl +libext+.v
            ${GENERATED}/nv_small/rtl/dla_cmac.v)
macrame_add_tb(cmac_ecp5_tb dla tb/dla/unit/cmac_tb.cpp cmac_ecp5_tb)
add_dependencies(cmac_ecp5_tb generate_nv_small)
target_include_directories(cmac_ecp5_tb PRIVATE ${GENERATED}/nv_small/include)
target_compile_definitions(cmac_ecp5_tb PRIVATE CONFIG_NAME="ecp5")

# The switches between the memory ports; an atom of that configuration has 128 bits.
macrame_verilate(cvif_route_tb ${GENERATED}/obj/cvif_route_tb cvif_route_dut
    DEPENDS ${GENERATED}/channels32/manifest.json tb/dla/unit/cvif_route_dut.v
    SOURCES -y ${GENERATED}/channels32/rtl +libext+.v ${CMAKE_SOURCE_DIR}/tb/dla/unit/cvif_route_dut.v)
macrame_add_tb(cvif_route_tb dla tb/dla/unit/cvif_route_tb.cpp cvif_route_tb)
add_dependencies(cvif_route_tb_model generate_channels32)
macrame_verilate(cvif_route_pairs_tb ${GENERATED}/obj/cvif_route_pairs_tb cvif_route_dut
    DEPENDS ${GENERATED}/pairs/manifest.json tb/dla/unit/cvif_route_dut.v
    SOURCES -GRSP=2 +define+PAIRS -y ${GENERATED}/pairs/rtl +libext+.v
            ${CMAKE_SOURCE_DIR}/tb/dla/unit/cvif_route_dut.v)
macrame_add_tb(cvif_route_pairs_tb dla tb/dla/unit/cvif_route_tb.cpp cvif_route_pairs_tb)
target_compile_definitions(cvif_route_pairs_tb PRIVATE PAIRS)
add_dependencies(cvif_route_pairs_tb_model generate_pairs)

# Floating point cells.
file(GLOB FP_CELLS CONFIGURE_DEPENDS templates/lib/fp*.v)
macrame_verilate(fp_tb ${GENERATED}/obj/fp_tb fp_dut
    DEPENDS ${FP_CELLS} tb/dla/unit/fp_dut.v
    SOURCES -y ${CMAKE_SOURCE_DIR}/templates/lib +libext+.v ${CMAKE_SOURCE_DIR}/tb/dla/unit/fp_dut.v)
macrame_add_tb(fp_tb dla tb/dla/unit/fp_tb.cpp fp_tb)

# The device of the testbench with a top that is pins alone.
add_executable(rtl_device_tb tb/dla/system/test/reset_tb.cpp tb/dla/system/rtl_device.cpp)
target_include_directories(rtl_device_tb PRIVATE ${MACRAME_SOURCE_DIR}/tb/dla/system/test)
target_link_libraries(rtl_device_tb PRIVATE verilated_runtime macrame_verif macrame_tb_warnings
    GTest::gtest_main)
add_test(NAME rtl_device_tb COMMAND rtl_device_tb)

# Register files of the family with all kinds of fields.
add_executable(registers_dut generator/test/families/dla/registers_dut_main.cpp)
target_link_libraries(registers_dut PRIVATE macrame_dla macrame_warnings)
set(REGISTERS ${GENERATED}/registers_dut)
add_custom_command(OUTPUT ${REGISTERS}/regs_dut.v ${REGISTERS}/regs_dut.hpp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${REGISTERS}
    COMMAND registers_dut ${REGISTERS}
    DEPENDS registers_dut)
macrame_verilate(registers_tb ${GENERATED}/obj/registers_tb regs_dut
    DEPENDS ${REGISTERS}/regs_dut.v ${CELLS}
    SOURCES -y ${REGISTERS} -y ${CMAKE_SOURCE_DIR}/templates/lib +libext+.v
            ${REGISTERS}/regs_dut.v)
macrame_add_tb(registers_tb dla tb/dla/unit/registers_tb.cpp registers_tb)
target_include_directories(registers_tb PRIVATE ${REGISTERS})

# Packages and registers of the designs, read by who is to read them; what is not installed is
# skipped.
foreach(reader contents ipxact fusesoc systemrdl)
    add_test(NAME packages_${reader} COMMAND Python3::Interpreter
        ${MACRAME_SOURCE_DIR}/scripts/check_packages.py ${reader}
        ${GENERATED}/nv_small ${GENERATED}/channels32 ${GENERATED}/axi4 ${GENERATED}/axi3
        ${GENERATED}/axi_own)
    set_tests_properties(packages_${reader} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()

# The golden model as scoreboard in SystemVerilog, by DPI-C.
add_test(NAME dpi_scoreboard COMMAND Python3::Interpreter -B
    ${MACRAME_SOURCE_DIR}/tb/dla/dpi/dpi_test.py $<TARGET_FILE:macrame>
    $<TARGET_FILE:macrame_device>)

# The installed program, the package, and a project that uses the installed golden model.
add_test(NAME install
    COMMAND ${MACRAME_SOURCE_DIR}/tb/dla/install/check_install.sh ${CMAKE_BINARY_DIR})

# Boards as programs, with the host at the other end of their serial line.
foreach(test "boards;Boards;Lint" "boards_traces;Traces")
    list(POP_FRONT test name)
    add_test(NAME ${name}
        COMMAND Python3::Interpreter ${MACRAME_SOURCE_DIR}/tb/dla/board/board_test.py
                $<TARGET_FILE:macrame> ${CMAKE_BINARY_DIR}/boards ${test})
    # They build in the same folders.
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 RESOURCE_LOCK boards)
endforeach()

# Networks of the folder in MACRAME_MODELS: outputs and cycles on a design. The bare-metal example.
add_test(NAME networks
    COMMAND Python3::Interpreter ${MACRAME_SOURCE_DIR}/scripts/dla/networks.py --quick
            --macrame $<TARGET_FILE:macrame>)
add_test(NAME bare_metal
    COMMAND ${MACRAME_SOURCE_DIR}/tb/dla/bare_metal/check_bare_metal.sh $<TARGET_FILE:macrame>
            ${CMAKE_BINARY_DIR}/bare_metal)
set_tests_properties(networks PROPERTIES SKIP_RETURN_CODE 77)
