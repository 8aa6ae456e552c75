# Fuzz targets: test/fuzz/NAME_fuzz.cpp with words of the language in NAME.dict and first inputs in
# seeds/NAME; files that are not text are made by fuzz_seeds, in the build folder. They are driven by
# plain mutations (verif/common/test/fuzz_main.cpp), or by libFuzzer if MACRAME_SANITIZE begins with
# fuzzer-no-link (clang; scripts/fuzz.sh).

set(MACRAME_FUZZ_SECONDS 10 CACHE STRING
    "seconds for which ctest runs each fuzz target under sanitizers")
add_custom_target(fuzz_targets)

add_custom_target(fuzz_readers)  # those that link few libraries

set(MACRAME_FUZZ_SEEDS "" CACHE PATH "first inputs that another build has made: its fuzz_seeds.made")
set(FUZZ_SEEDS ${MACRAME_FUZZ_SEEDS})
add_custom_target(fuzz_seeds_made)
if(NOT FUZZ_SEEDS)
    add_executable(fuzz_seeds generator/test/fuzz/fuzz_seeds.cpp)
    target_link_libraries(fuzz_seeds PRIVATE macrame_program macrame_families macrame_warnings
        ${TURBOJPEG_LIBRARY})
    target_include_directories(fuzz_seeds SYSTEM PRIVATE ${TURBOJPEG_INCLUDE})
    set(FUZZ_SEEDS ${CMAKE_BINARY_DIR}/fuzz_seeds.made)
    add_custom_command(OUTPUT ${FUZZ_SEEDS}/made
        COMMAND fuzz_seeds ${FUZZ_SEEDS} && ${CMAKE_COMMAND} -E touch ${FUZZ_SEEDS}/made
        DEPENDS fuzz_seeds)
    add_custom_target(fuzz_seeds_files DEPENDS ${FUZZ_SEEDS}/made)
    add_dependencies(fuzz_seeds_made fuzz_seeds_files)
endif()
add_library(fuzz_mutations STATIC
    compiler/test/fuzz/mutate_tflite.cpp compiler/test/fuzz/mutate_onnx.cpp)
target_link_libraries(fuzz_mutations PUBLIC macrame_compiler PRIVATE macrame_warnings)

# The library that a target is about: of those in verif the models of the family; others that are
# not named want families and all that belongs to them.
set(FUZZ_LIBRARY_onnx fuzz_mutations)
set(FUZZ_LIBRARY_tflite fuzz_mutations)
set(FUZZ_LIBRARY_program macrame_program_file)
set(FUZZ_LIBRARY_inputs macrame_inputs)
set(FUZZ_LIBRARY_manifest macrame_core)
set(FUZZ_LIBRARY_template macrame_core)

file(GLOB FUZZ_SOURCES CONFIGURE_DEPENDS
    generator/test/fuzz/*_fuzz.cpp compiler/test/fuzz/*_fuzz.cpp verif/*/test/fuzz/*_fuzz.cpp)
foreach(source IN LISTS FUZZ_SOURCES)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(target ${source} NAME_WE)
    string(REGEX REPLACE "_fuzz$" "" name ${target})
    if(source MATCHES "/verif/([^/]+)/test/")
        set(FUZZ_LIBRARY_${name} macrame_${CMAKE_MATCH_1}_verif)
    endif()
    set(libraries fuzz_mutations macrame_program macrame_families)
    if(DEFINED FUZZ_LIBRARY_${name})
        set(libraries ${FUZZ_LIBRARY_${name}})
        add_dependencies(fuzz_readers ${target})
    endif()
    if(MACRAME_SANITIZE MATCHES "^fuzzer")
        add_executable(${target} ${source})
        target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    else()
        add_executable(${target} ${source} verif/common/test/fuzz_main.cpp)
    endif()
    target_link_libraries(${target} PRIVATE ${libraries} macrame_warnings)
    target_compile_definitions(${target} PRIVATE SEEDS="${folder}/seeds")
    add_dependencies(${target} fuzz_seeds_made)
    add_dependencies(fuzz_targets ${target})
    # Text has words and first inputs beside the target.
    set(language ${FUZZ_SEEDS}/${name})
    if(EXISTS ${folder}/${name}.dict)
        set(language --dictionary ${folder}/${name}.dict ${folder}/seeds/${name})
    endif()
    # Without sanitizers a few thousand mutations, always the same ones.
    set(length --seconds ${MACRAME_FUZZ_SECONDS})
    if(NOT MACRAME_SANITIZE)
        set(length --runs 3000)
        if(name MATCHES "^(compile|manifest)$")  # takes milliseconds for each
            set(length --runs 500)
        endif()
    endif()
    if(MACRAME_SANITIZE AND NOT MACRAME_LONG_TESTS AND NOT DEFINED FUZZ_LIBRARY_${name})
        continue()
    endif()
    add_test(NAME ${target} COMMAND ${target} ${length} --crash ${name}.crash ${language})
endforeach()
