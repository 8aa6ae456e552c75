# Tests with Verilator of what all boards share.

file(GLOB FPGA_CELLS CONFIGURE_DEPENDS ${MACRAME_SOURCE_DIR}/fpga/rtl/*.v)
set(FPGA_SOURCES -y ${MACRAME_SOURCE_DIR}/fpga/rtl -y ${MACRAME_SOURCE_DIR}/templates/lib +libext+.v)

# Small numbers, so that frames take hundreds of cycles, not thousands. memory_w: of all memories, of
# a small one.
function(macrame_uart_bridge_test name memory_w)
    macrame_verilate(${name} ${GENERATED}/obj/${name} uart_bridge
        DEPENDS ${FPGA_CELLS} ${CELLS}
        SOURCES -GDIV=4 -GGAP_W=9 -GMEMORY_W=${memory_w} ${FPGA_SOURCES}
                ${MACRAME_SOURCE_DIR}/fpga/rtl/uart_bridge.v)
    macrame_add_tb(${name} common fpga/test/uart_bridge_tb.cpp ${name})
    target_link_libraries(${name} PRIVATE macrame_host)
    target_compile_definitions(${name} PRIVATE BRIDGE_DIV=4 BRIDGE_GAP_W=9)
endfunction()
macrame_uart_bridge_test(uart_bridge_tb 32)
macrame_uart_bridge_test(uart_bridge_small_tb 12)

# The way to memory, and the memories.
macrame_glob(FPGA_SIM_SOURCES ${MACRAME_SOURCE_DIR} ${MACRAME_SOURCE_DIR}/fpga/sim/sdram_model.cpp)
function(macrame_board_memory_test name sdram mhz cas)
    macrame_verilate(${name} ${GENERATED}/obj/${name} board_memory_dut
        DEPENDS ${FPGA_CELLS} ${CELLS} ${MACRAME_SOURCE_DIR}/fpga/test/board_memory_dut.v
        SOURCES -GSDRAM=${sdram} -GMHZ=${mhz} -GCAS=${cas} ${FPGA_SOURCES}
                ${MACRAME_SOURCE_DIR}/fpga/test/board_memory_dut.v)
    macrame_add_tb(${name} common fpga/test/board_memory_tb.cpp ${name} ${FPGA_SIM_SOURCES})
    target_compile_definitions(${name} PRIVATE MEMORY_SDRAM=${sdram} MEMORY_MHZ=${mhz})
endfunction()
macrame_board_memory_test(board_ram_tb 0 60 2)
macrame_board_memory_test(board_sdram_tb 1 60 2)
macrame_board_memory_test(board_sdram_100_tb 1 100 3)

# The Tcl of Vivado projects.
find_program(TCLSH tclsh REQUIRED)
add_test(NAME vivado_tcl COMMAND Python3::Interpreter
    ${MACRAME_SOURCE_DIR}/fpga/test/vivado_test.py $<TARGET_FILE:macrame> "" arty-a7-100t pynq-z1
        pynq-z2 zedboard zybo-z7-20 ultra96-v2 kv260 zcu102 zcu104)
# Their device trees.
add_test(NAME devicetree COMMAND Python3::Interpreter
    ${MACRAME_SOURCE_DIR}/fpga/test/devicetree_test.py $<TARGET_FILE:macrame> "" pynq-z1 ultra96-v2)
set_tests_properties(devicetree PROPERTIES SKIP_RETURN_CODE 77)

# Systems on chip, as scripts/FAMILY/soc.toml has them: Verilog and firmware, behind LONG the digits in
# the simulation.
add_test(NAME soc_files COMMAND Python3::Interpreter ${MACRAME_SOURCE_DIR}/fpga/test/soc_test.py
    $<TARGET_FILE:macrame>)
set(SOC_GOAL --build-only)
if(MACRAME_LONG_TESTS)
    set(SOC_GOAL)
endif()
foreach(family IN LISTS MACRAME_FAMILIES)
    if(EXISTS ${MACRAME_SOURCE_DIR}/scripts/${family}/soc.toml)
        add_test(NAME soc_${family} COMMAND Python3::Interpreter
            ${MACRAME_SOURCE_DIR}/scripts/soc_sim.py $<TARGET_FILE:macrame>
                ${CMAKE_BINARY_DIR}/soc/${family} ${family} ${SOC_GOAL})
        set_tests_properties(soc_${family} PROPERTIES SKIP_RETURN_CODE 77)
    endif()
endforeach()
