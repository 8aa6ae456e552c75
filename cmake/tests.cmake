# Tests: generator (GoogleTest), golden models, library cells, register files, one per unit.

enable_testing()
set(GENERATED ${CMAKE_BINARY_DIR}/generated)
find_package(GTest REQUIRED)
find_package(Threads REQUIRED)

# ---------------------------------------------------------------- tests without Verilator

# LONG_TESTS is a constant in tests: how many random networks, programs and configurations.
function(macrame_long name)
    target_compile_definitions(${name} PRIVATE LONG_TESTS=$<BOOL:${MACRAME_LONG_TESTS}>)
endfunction()

# What most tests include, read once: a third of the time that compiles them. Like several files
# at a time it hides what a file forgets to include.
set(TEST_HEADERS <gtest/gtest.h> <algorithm> <cstdint> <deque> <filesystem> <fstream> <functional>
    <map> <memory> <optional> <random> <set> <string> <vector>)
set(PRECOMPILED $<$<AND:$<BOOL:${MACRAME_UNITY}>,$<CXX_COMPILER_ID:GNU>>:-fpch-preprocess>)  # ccache

set(MACRAME_TESTS_ELSEWHERE "" CACHE STRING "tests that another build has, of those without Verilator")
function(macrame_test name)
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE macrame_warnings GTest::gtest_main Threads::Threads)
    target_compile_options(${name} PRIVATE -O0)  # the time goes into what they test
    if(MACRAME_UNITY)
        target_precompile_headers(${name} PRIVATE ${TEST_HEADERS})
        target_compile_options(${name} PRIVATE ${PRECOMPILED})
    endif()
    macrame_long(${name})
    if(name IN_LIST MACRAME_TESTS_ELSEWHERE)
        set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
        return()
    endif()
    add_test(NAME ${name} COMMAND ${name})
    # Runs of several checkouts do not meet in one folder.
    set(scratch ${CMAKE_BINARY_DIR}/scratch/${name}/)
    file(MAKE_DIRECTORY ${scratch})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "TMPDIR=${scratch};TEST_TMPDIR=${scratch}")
endfunction()

# Under sanitizers readers of files and the runtime, and what they link; all tests take as long as
# all others together.
set(ALL_TESTS ON)
if(MACRAME_SANITIZE AND NOT MACRAME_LONG_TESTS)
    set(ALL_TESTS OFF)
endif()
file(GLOB_RECURSE GENERATOR_TESTS CONFIGURE_DEPENDS generator/test/*_test.cpp)
if(GENERATOR_TESTS AND ALL_TESTS)
    file(GLOB random_networks CONFIGURE_DEPENDS compiler/test/random/*.cpp)
    macrame_test(generator_test ${GENERATOR_TESTS} generator/test/source_dir.cpp ${random_networks})
    target_link_libraries(generator_test PRIVATE macrame_program macrame_families)
    set_source_files_properties(generator/test/source_dir.cpp
        PROPERTIES COMPILE_DEFINITIONS SOURCE_DIR="${CMAKE_SOURCE_DIR}")
endif()
# Runs side by side, interrupts, the build cache; make is a stub.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(ALL_TESTS)
    add_test(NAME parallel_test
        COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/generator/test/parallel_test.py
                $<TARGET_FILE:macrame>)
endif()
file(GLOB_RECURSE VERIF_TESTS CONFIGURE_DEPENDS verif/*_test.cpp tb/*_test.cpp
    fpga/test/*_test.cpp)
if(VERIF_TESTS AND ALL_TESTS)
    macrame_test(verif_test ${VERIF_TESTS})
    target_link_libraries(verif_test PRIVATE macrame_program macrame_families)
endif()
# Networks with reference outputs are taken from the folder in MACRAME_MODELS.
file(GLOB COMPILER_TESTS CONFIGURE_DEPENDS compiler/test/front/*.cpp compiler/test/graph/*.cpp
    compiler/test/random/*.cpp compiler/test/host_c/*.cpp)
macrame_test(compiler_test ${COMPILER_TESTS})
target_link_libraries(compiler_test PRIVATE macrame_compiler ${CMAKE_DL_LIBS})
target_compile_definitions(compiler_test PRIVATE SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    RUNTIME_LIBRARY="$<TARGET_FILE:macrame_runtime>")
# Networks by the hundred take long under sanitizers; a fuzz target compiles some there.
foreach(family IN LISTS MACRAME_FAMILIES)
    file(GLOB BACK_END_TESTS CONFIGURE_DEPENDS compiler/test/${family}/*.cpp)
    if(BACK_END_TESTS AND NOT MACRAME_SANITIZE)
        file(GLOB random_networks CONFIGURE_DEPENDS compiler/test/random/*.cpp)
        macrame_test(compiler_${family}_test ${BACK_END_TESTS} ${random_networks})
        target_link_libraries(compiler_${family}_test PRIVATE macrame_program macrame_families)
    endif()
endforeach()
# Every tensor of a network, for comparisons with other executors, which take minutes under sanitizers.
foreach(tool graph_run host_cycles)
    add_executable(${tool} compiler/test/tools/${tool}.cpp)
    target_link_libraries(${tool} PRIVATE macrame_compiler macrame_warnings)
endforeach()
if(ALL_TESTS)
    foreach(test tflite_executor onnx_executor operators forms onnx_nodes onnx_attributes tflite_options)
        add_test(NAME ${test}_test
            COMMAND Python3::Interpreter -B
                    ${CMAKE_SOURCE_DIR}/compiler/test/executors/${test}_test.py
                    $<TARGET_FILE:graph_run>)
        set_tests_properties(${test}_test PROPERTIES SKIP_RETURN_CODE 77)
    endforeach()
endif()
add_test(NAME quantise_read_test
    COMMAND Python3::Interpreter -B
            ${CMAKE_SOURCE_DIR}/compiler/test/executors/quantise_read_test.py)
set_tests_properties(quantise_read_test PROPERTIES SKIP_RETURN_CODE 77)
if(NOT MACRAME_SANITIZE)  # the program is not built there
    add_test(NAME quantise_test
        COMMAND Python3::Interpreter -B
                ${CMAKE_SOURCE_DIR}/compiler/test/executors/quantise_test.py
                $<TARGET_FILE:macrame>)
    set_tests_properties(quantise_test PROPERTIES SKIP_RETURN_CODE 77)
    add_test(NAME random_networks_test  # a few of them
        COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/scripts/networks/random_networks.py
                $<TARGET_FILE:macrame> --attention 2 --mixed 3 --kept 2 --tflite 6
                --configurations nv_small 16x16 zcu104)
    set_tests_properties(random_networks_test PROPERTIES SKIP_RETURN_CODE 77)
endif()

if(TARGET _macrame AND NOT MACRAME_SANITIZE)  # the interpreter has no sanitizers
    add_test(NAME python_package
        COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/python/test/package_test.py
                $<TARGET_FILE:macrame> ${CMAKE_BINARY_DIR}/python)
    set_tests_properties(python_package PROPERTIES SKIP_RETURN_CODE 77)
    if(MACRAME_LONG_TESTS)
        add_test(NAME python_documents
            COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/python/test/documents_test.py
                    $<TARGET_FILE:macrame> ${CMAKE_BINARY_DIR}/python)
        set_tests_properties(python_documents PROPERTIES SKIP_RETURN_CODE 77)
    endif()
endif()

# Networks from file to answer, on back ends that have such a test.
foreach(family IN LISTS MACRAME_FAMILIES)
    set(script ${CMAKE_SOURCE_DIR}/compiler/test/executors/${family}_executor_test.py)
    if(EXISTS ${script} AND NOT MACRAME_SANITIZE)
        add_test(NAME ${family}_executor_test
            COMMAND Python3::Interpreter -B ${script} $<TARGET_FILE:macrame>)
        set_tests_properties(${family}_executor_test PROPERTIES SKIP_RETURN_CODE 77)
    endif()
endforeach()

# Program files and the runtime.
file(GLOB_RECURSE RUNTIME_TESTS CONFIGURE_DEPENDS runtime/test/*_test.cpp
    compiler/test/program/*_test.cpp)
macrame_test(runtime_test ${RUNTIME_TESTS})
add_library(runtime_bare_metal OBJECT runtime/examples/bare_metal/main.c
    runtime/examples/bare_metal/two_buffers.c)
target_compile_definitions(runtime_bare_metal PRIVATE
    BOARD DMA_OFFSET=0x80000000 DMA_BYTES=0x100000 main=bare_metal_main)
target_link_libraries(runtime_bare_metal PRIVATE macrame_warnings)
target_link_libraries(runtime_test PRIVATE macrame_program_file runtime_bare_metal)
foreach(family IN LISTS MACRAME_FAMILIES)
    target_link_libraries(runtime_test PRIVATE macrame_${family}_verif)
    if(TARGET macrame_${family}_play)
        target_link_libraries(runtime_test PRIVATE macrame_${family}_play)
    endif()
endforeach()

include(cmake/fuzz.cmake)
if(MACRAME_SANITIZE)
    return()
endif()

# ---------------------------------------------------------------- tests with Verilator

# The measuring of clock periods, on small netlists.
add_test(NAME timing_test
    COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/scripts/timing/timing_test.py)
# As programs without an operating system compile it; from Python.
foreach(target host riscv64 arm)
    add_test(NAME runtime_freestanding_${target}
        COMMAND ${CMAKE_SOURCE_DIR}/runtime/test/freestanding.sh ${target})
    set_tests_properties(runtime_freestanding_${target} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()
add_test(NAME runtime_language_model
    COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/runtime/test/language_model_test.py
            $<TARGET_FILE:macrame> $<TARGET_FILE:macrame_device> $<TARGET_FILE:graph_run>
            ${CMAKE_BINARY_DIR}/language_model_test)
add_test(NAME runtime_device
    COMMAND ${CMAKE_SOURCE_DIR}/runtime/test/check_device.sh $<TARGET_FILE:macrame>
            $<TARGET_FILE:macrame_device> ${CMAKE_BINARY_DIR}/device_driver)
add_test(NAME runtime_linux
    COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/runtime/test/linux/linux_test.py
            $<TARGET_FILE:macrame> $<TARGET_FILE:macrame_device> ${CMAKE_BINARY_DIR}/runtime_linux)
add_test(NAME runtime_python
    COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/runtime/test/python_test.py
            $<TARGET_FILE:macrame_runtime_shared>)
foreach(family IN LISTS MACRAME_FAMILIES)
    set(test ${CMAKE_SOURCE_DIR}/runtime/test/${family}/python_test.py)
    if(EXISTS ${test})
        add_test(NAME runtime_python_${family} COMMAND Python3::Interpreter -B ${test}
            $<TARGET_FILE:macrame_runtime_shared>)
    endif()
endforeach()

# What is written, in the hands of lint programs, compilers, Tcl and the simulator.
file(GLOB OUTPUT_TESTS CONFIGURE_DEPENDS generator/test/families/*/output_test.py)
foreach(test IN LISTS OUTPUT_TESTS)
    get_filename_component(family ${test} DIRECTORY)
    get_filename_component(family ${family} NAME)
    add_test(NAME output_${family}
        COMMAND Python3::Interpreter ${test} $<TARGET_FILE:macrame>)
endforeach()

find_program(VERILATOR verilator REQUIRED)
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT
    OUTPUT_VARIABLE VERILATOR_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
set(VERILATOR_JOBS 1 CACHE STRING "compilers that one Verilator build may start")

add_library(verilated_runtime STATIC
    ${VERILATOR_ROOT}/include/verilated.cpp ${VERILATOR_ROOT}/include/verilated_threads.cpp)
target_include_directories(verilated_runtime SYSTEM PUBLIC
    ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
target_link_libraries(verilated_runtime PUBLIC Threads::Threads)

# Library of the Verilated model `top` in `dir`, class Vdut. Further arguments: DEPENDS files,
# then everything that tells Verilator where the sources are.
function(macrame_verilate target dir top)
    cmake_parse_arguments(ARG "" "" "DEPENDS;SOURCES" ${ARGN})
    # Headers are named too, so that tests are compiled again in the same run when they change.
    # A model is one compilation: of eight small ones more than half of the time goes into headers.
    add_custom_command(OUTPUT ${dir}/Vdut__ALL.a
        BYPRODUCTS ${dir}/Vdut.h ${dir}/Vdut___024root.h
        COMMAND ${CMAKE_COMMAND} -E env OBJCACHE=${CCACHE} ${VERILATOR} --cc --build
                -j ${VERILATOR_JOBS} -Wall -O3 --x-assign unique --x-initial unique
                +define+MACRAME_ASSERT -CFLAGS -O1 -MAKEFLAGS VM_PARALLEL_BUILDS=0
                --prefix Vdut --top-module ${top} --Mdir ${dir}
                ${ARG_SOURCES}
                > ${dir}.log || (cat ${dir}.log && false)
        DEPENDS ${ARG_DEPENDS}
        COMMENT "Verilating ${top} in ${dir}")
    add_custom_target(${target}_model DEPENDS ${dir}/Vdut__ALL.a)
    add_library(${target}_dut INTERFACE)
    add_dependencies(${target}_dut ${target}_model)
    target_include_directories(${target}_dut SYSTEM INTERFACE ${dir})
    target_link_libraries(${target}_dut INTERFACE
        ${dir}/Vdut__ALL.a verilated_runtime)
endfunction()

# Configurations of a test into `result`: those named, and those behind LONG with MACRAME_LONG_TESTS.
function(macrame_test_configs result)
    cmake_parse_arguments(ARG "" "" "LONG" ${ARGN})
    if(MACRAME_LONG_TESTS)
        list(APPEND ARG_UNPARSED_ARGUMENTS ${ARG_LONG})
    endif()
    set(${result} ${ARG_UNPARSED_ARGUMENTS} PARENT_SCOPE)
endfunction()

# No -Wpedantic: reference sums use __int128.
add_library(macrame_tb_warnings INTERFACE)
target_compile_options(macrame_tb_warnings INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Werror)

# Test `name` of the model `dut`, with the golden models of `family` ("common" for none).
function(macrame_add_tb name family tb dut)
    set(verif macrame_verif)
    if(NOT family STREQUAL common)
        set(verif macrame_${family}_verif)
    endif()
    add_executable(${name} ${tb} ${ARGN})
    target_link_libraries(${name} PRIVATE
        ${dut}_dut ${verif} macrame_tb_warnings GTest::gtest_main)
    add_dependencies(${name} ${dut}_model)
    target_compile_options(${name} PRIVATE -O1)
    macrame_long(${name})
    if(MACRAME_UNITY AND name STREQUAL lib_tb)  # the first
        target_precompile_headers(lib_tb PRIVATE ${TEST_HEADERS} <verilated.h>)
    elseif(MACRAME_UNITY)
        target_precompile_headers(${name} REUSE_FROM lib_tb)
    endif()
    target_compile_options(${name} PRIVATE ${PRECOMPILED})
    add_test(NAME ${name} COMMAND ${name})
endfunction()

# Library cells side by side.
file(GLOB CELLS CONFIGURE_DEPENDS templates/lib/*.v)
macrame_verilate(lib_tb ${GENERATED}/obj/lib_tb lib_dut
    DEPENDS ${CELLS} tb/common/unit/lib_dut.v
    SOURCES -y ${CMAKE_SOURCE_DIR}/templates/lib +libext+.v
            ${CMAKE_SOURCE_DIR}/tb/common/unit/lib_dut.v)
macrame_add_tb(lib_tb common tb/common/unit/lib_tb.cpp lib_tb)
# Those that check rules of links and buses.
add_test(NAME assert_test
    COMMAND Python3::Interpreter -B ${CMAKE_SOURCE_DIR}/tb/common/unit/assert_test.py)
# The same with cells that projects for FPGAs have in their place.
function(macrame_fpga_cells_test technology folder)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.v)
    macrame_verilate(lib_${technology}_tb ${GENERATED}/obj/lib_${technology}_tb lib_dut
        DEPENDS ${CELLS} ${files} tb/common/unit/lib_dut.v
        SOURCES -y ${CMAKE_SOURCE_DIR}/${folder} -y ${CMAKE_SOURCE_DIR}/templates/lib +libext+.v
                ${CMAKE_SOURCE_DIR}/tb/common/unit/lib_dut.v)
    macrame_add_tb(lib_${technology}_tb common tb/common/unit/lib_tb.cpp lib_${technology}_tb)
endfunction()
macrame_fpga_cells_test(ecp5 fpga/flows/ecp5/rtl)
macrame_fpga_cells_test(ice40 fpga/flows/ice40/rtl)
# Memories of iCE40 are read with the falling edge, which the test of fifo_async with unrelated clocks
# does not wait for; boards with iCE40 have one clock.
set_tests_properties(lib_ice40_tb PROPERTIES ENVIRONMENT
    GTEST_FILTER=-Lib.AsyncFifoWithUnrelatedClocks)

# Plain register files, one per kind of bus.
add_executable(regs_dut generator/test/regs/regs_dut_main.cpp)
target_link_libraries(regs_dut PRIVATE macrame_core macrame_warnings)
set(REGS ${GENERATED}/regs_dut)
add_custom_command(OUTPUT ${REGS}/axi_regs.v ${REGS}/apb_regs.v ${REGS}/native_regs.v
    COMMAND ${CMAKE_COMMAND} -E make_directory ${REGS}
    COMMAND regs_dut ${REGS} ${CMAKE_SOURCE_DIR}/tb/common/unit/regs_dut.v
    DEPENDS regs_dut)
macrame_verilate(regs_tb ${GENERATED}/obj/regs_tb regs_dut
    DEPENDS ${REGS}/axi_regs.v tb/common/unit/regs_dut.v
    SOURCES -y ${REGS} +libext+.v ${CMAKE_SOURCE_DIR}/tb/common/unit/regs_dut.v)
macrame_add_tb(regs_tb common tb/common/unit/regs_tb.cpp regs_tb)
find_program(IVERILOG iverilog REQUIRED)
find_program(YOSYS yosys REQUIRED)
add_test(NAME regs_lint COMMAND ${CMAKE_SOURCE_DIR}/scripts/lint.sh ${REGS})
# Yosys of PyPI sees no files by absolute paths below /tmp.
set_tests_properties(regs_lint PROPERTIES ENVIRONMENT NEWER=slang)

# The check of the units' ports, on a unit that passes and on one that does not.
add_test(NAME check_ports
    COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/scripts/check_ports_test.py)
add_test(NAME house_test
    COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/scripts/house_test.py)

# An FPGA without LUT RAM.
add_test(NAME ice40 COMMAND ${YOSYS} -q -p "read_verilog \
    ${MACRAME_SOURCE_DIR}/templates/lib/fifo_sync.v \
    ${MACRAME_SOURCE_DIR}/templates/lib/sram_dist_1r1w.v; synth_ice40 -top fifo_sync")
# Copies of registers are still there in a flat design, with pads at its own ports only.
add_test(NAME copies COMMAND ${YOSYS} -q -p "read_verilog \
    ${MACRAME_SOURCE_DIR}/tb/common/synthesis/copies.v \
    ${MACRAME_SOURCE_DIR}/templates/lib/reg_copy.v \
    ${MACRAME_SOURCE_DIR}/templates/lib/reset_copy.v; synth_gowin -top copies; flatten; \
    select -assert-count 4 t:DFF*; select -assert-count 3 t:IBUF; select -assert-count 4 t:OBUF; \
    select -assert-none t:reg_copy t:reset_copy")

include(${MACRAME_SOURCE_DIR}/fpga/test/tests.cmake)

# Lengths, layers, names, links.
add_test(NAME check_style COMMAND ${CMAKE_SOURCE_DIR}/scripts/check_style.py ${CMAKE_SOURCE_DIR})
# Commands of the documents.
add_test(NAME check_docs
    COMMAND ${CMAKE_SOURCE_DIR}/scripts/check_docs.py $<TARGET_FILE:macrame>)

# ---------------------------------------------------------------- the miniature family

# A family in a folder of its own: proves that the core takes a family as data.
macrame_family(mini ${MACRAME_SOURCE_DIR}/generator/test/mini)
add_executable(mini_macrame generator/test/mini/main.cpp)
target_link_libraries(mini_macrame PRIVATE macrame_program macrame_mini macrame_warnings)
add_test(NAME mini_family
    COMMAND ${MACRAME_SOURCE_DIR}/generator/test/mini/mini_test.sh $<TARGET_FILE:mini_macrame>
            ${MACRAME_SOURCE_DIR}/scripts/lint.sh)
set_tests_properties(mini_family PROPERTIES ENVIRONMENT NEWER=slang)

# ---------------------------------------------------------------- families

foreach(family IN LISTS MACRAME_FAMILIES)
    include(${MACRAME_SOURCE_DIR}/tb/${family}/tests.cmake)
endforeach()

# The committed output is what the generator makes.
add_test(NAME check_generated
    COMMAND ${CMAKE_SOURCE_DIR}/scripts/check_generated.sh $<TARGET_FILE:macrame>)

add_test(NAME compare_test COMMAND Python3::Interpreter -B
    ${CMAKE_SOURCE_DIR}/scripts/compare_test.py $<TARGET_FILE:macrame>)

# The testbench in Verilog in Icarus; that of cocotb, with other people's models of buses.
add_test(NAME verilog_bench COMMAND Python3::Interpreter -B
    ${CMAKE_SOURCE_DIR}/tb/verilog/bench_test.py $<TARGET_FILE:macrame>)
add_test(NAME cocotb_bench COMMAND Python3::Interpreter -B
    ${CMAKE_SOURCE_DIR}/tb/cocotb/cocotb_test.py $<TARGET_FILE:macrame>)
set_tests_properties(cocotb_bench PROPERTIES SKIP_RETURN_CODE 77)

# A few small programs in a simulator with four states; all of them: scripts/fourstate.py.
add_test(NAME fourstate
    COMMAND ${CMAKE_SOURCE_DIR}/scripts/fourstate.py --build ${CMAKE_BINARY_DIR} --count 9)
