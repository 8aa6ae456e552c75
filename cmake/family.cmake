# A family of accelerators: the same folders for all of them, below `root` (the source tree).
#   generator/families/<name>/    tables, presets/*.toml, registers/
#   templates/<name>/<unit>/      Verilog
#   verif/<name>/                 golden models and what drives them; test/
#   tb/<name>/system/, unit/      testbench that is delivered; tests of the units
#   compiler/<name>/              back end of the network compiler, if there is one
#   runtime/<name>/               driver in C, if the shared runtime is not enough; delivered, too
#   runtime/play/<name>/          runs it on a simulated device, delivered with the testbench

# Target `target` with a source that holds the files as strings: <space>::<function>().
function(macrame_embed target root space function)
    set(files ${ARGN})
    list(SORT files)
    set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}_assets.txt)
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${target}_assets.cpp)
    string(REPLACE ";" "\n" lines "${files}")
    file(GENERATE OUTPUT ${list} CONTENT "${lines}\n")
    list(TRANSFORM files PREPEND ${root}/)
    add_custom_command(
        OUTPUT ${out}
        COMMAND ${CMAKE_COMMAND} -DROOT=${root} -DLIST=${list} -DOUT=${out} -DSPACE=${space}
                -DNAME=${function} -P ${MACRAME_SOURCE_DIR}/cmake/embed.cmake
        DEPENDS ${files} ${list} ${MACRAME_SOURCE_DIR}/cmake/embed.cmake
        COMMENT "Embedding files of ${target}")
    target_sources(${target} PRIVATE ${out})
endfunction()

# Sources of a family's golden models, trace readers, stimulus: all but its tests.
function(macrame_glob out root)
    file(GLOB_RECURSE found RELATIVE ${root} CONFIGURE_DEPENDS ${ARGN})
    list(FILTER found EXCLUDE REGEX "(^|/)(test|unit)/")
    set(${out} ${found} PARENT_SCOPE)
endfunction()

# macrame_family(<name> <root>) makes the library macrame_<name>, and macrame_<name>_verif with the
# golden models for testbenches.
#   macrame_family(<name> <root>)
function(macrame_family name root)
    # Tables, without what needs the golden models.
    file(GLOB_RECURSE tables CONFIGURE_DEPENDS ${root}/generator/families/${name}/*.cpp)
    list(FILTER tables EXCLUDE REGEX "/(family|simulator|boards|target)\\.cpp$")
    add_library(macrame_${name}_tables STATIC ${tables})
    target_include_directories(macrame_${name}_tables PUBLIC ${root}/generator ${root})
    target_link_libraries(macrame_${name}_tables PUBLIC macrame_core PRIVATE macrame_warnings)
    if(NOT EXISTS ${root}/generator/families/${name}/registers)
        # Nothing of the models is made from the tables: the tables may use them.
        target_link_libraries(macrame_${name}_tables PUBLIC macrame_${name}_verif)
    endif()

    # Register header for models and tests: the same text as in a generated include folder.
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/generated)
    set(headers)
    if(EXISTS ${root}/generator/families/${name}/registers)
        set(headers ${generated}/${name}_regs.hpp)
        add_executable(macrame_${name}_registers ${MACRAME_SOURCE_DIR}/generator/regs/header_main.cpp)
        target_compile_definitions(macrame_${name}_registers PRIVATE
            REGISTERS_HEADER="families/${name}/registers/registers.hpp"
            REGISTERS=macrame::${name}::registers)
        target_link_libraries(macrame_${name}_registers PRIVATE macrame_${name}_tables)
        add_custom_command(OUTPUT ${headers}
            COMMAND macrame_${name}_registers ${headers}
            DEPENDS macrame_${name}_registers)
    endif()

    # Golden models and what drives them.
    macrame_glob(models ${root} ${root}/verif/${name}/*.cpp)
    list(TRANSFORM models PREPEND ${root}/)
    # Programs are made and read once, the models run them for thousands of cycles.
    set(around ${models})
    list(FILTER around INCLUDE REGEX "/(stimulus|trace|files)/")
    list(REMOVE_ITEM models ${around})
    add_library(macrame_${name}_verif STATIC ${models} ${headers})
    set(verif macrame_${name}_verif)
    if(around)
        add_library(macrame_${name}_stimulus OBJECT ${around} ${headers})
        target_compile_options(macrame_${name}_stimulus PRIVATE $<$<CONFIG:Release>:-O1>)
        target_sources(macrame_${name}_verif PRIVATE $<TARGET_OBJECTS:macrame_${name}_stimulus>)
        list(APPEND verif macrame_${name}_stimulus)
    endif()
    foreach(library IN LISTS verif)
        target_include_directories(${library} PUBLIC
            $<BUILD_INTERFACE:${root}> $<BUILD_INTERFACE:${generated}>)
        target_link_libraries(${library} PUBLIC macrame_verif
            PRIVATE $<BUILD_INTERFACE:macrame_warnings>)
    endforeach()

    # The family: its tables, its files, its simulator, what it has of boards and networks.
    file(GLOB more CONFIGURE_DEPENDS ${root}/generator/families/${name}/boards.cpp
        ${root}/generator/families/${name}/target.cpp)
    file(GLOB_RECURSE back_end CONFIGURE_DEPENDS ${root}/compiler/${name}/*.cpp)
    file(GLOB play CONFIGURE_DEPENDS ${root}/runtime/play/${name}/*.cpp)
    add_library(macrame_${name} STATIC ${root}/generator/families/${name}/family.cpp
        ${root}/generator/families/${name}/simulator.cpp ${more})
    if(back_end)
        add_library(macrame_${name}_compiler STATIC ${back_end})
        target_link_libraries(macrame_${name}_compiler
            PUBLIC macrame_compiler macrame_${name}_verif PRIVATE macrame_warnings)
        target_link_libraries(macrame_${name} PUBLIC macrame_${name}_compiler macrame_target)
    endif()
    if(play)
        add_library(macrame_${name}_play STATIC ${play})
        target_link_libraries(macrame_${name}_play
            PUBLIC macrame_program_file macrame_${name}_verif PRIVATE macrame_warnings)
        target_link_libraries(macrame_${name} PUBLIC macrame_${name}_play)
    endif()
    macrame_glob(assets ${root} ${root}/generator/families/${name}/presets/*.toml
        ${root}/generator/families/${name}/cost/* ${root}/templates/${name}/* ${root}/verif/${name}/* ${root}/tb/${name}/system/*
        ${root}/runtime/${name}/*.[ch] ${root}/runtime/play/${name}/*)
    macrame_embed(macrame_${name} ${root} macrame::${name} assets ${assets})
    target_link_libraries(macrame_${name} PUBLIC macrame_${name}_tables macrame_${name}_verif
        macrame_program_file
        PRIVATE macrame_host macrame_warnings)
endfunction()
