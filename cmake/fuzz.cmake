# Fuzz targets: test/fuzz/NAME_fuzz.cpp with words of the language in NAME.dict and first inputs in
# seeds/NAME. They are driven by plain mutations (verif/common/test/fuzz_main.cpp), or by libFuzzer if
# MACRAME_SANITIZE begins with fuzzer-no-link (clang; scripts/fuzz.sh).

set(MACRAME_FUZZ_SECONDS 10 CACHE STRING "seconds for which ctest runs each fuzz target")
add_custom_target(fuzz_targets)

file(GLOB FUZZ_SOURCES CONFIGURE_DEPENDS
    generator/test/fuzz/*_fuzz.cpp verif/*/test/fuzz/*_fuzz.cpp)
foreach(source IN LISTS FUZZ_SOURCES)
    get_filename_component(folder ${source} DIRECTORY)
    get_filename_component(target ${source} NAME_WE)
    string(REGEX REPLACE "_fuzz$" "" name ${target})
    if(MACRAME_SANITIZE MATCHES "^fuzzer")
        add_executable(${target} ${source})
        target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    else()
        add_executable(${target} ${source} verif/common/test/fuzz_main.cpp)
    endif()
    target_link_libraries(${target} PRIVATE macrame_program macrame_families macrame_warnings)
    target_compile_definitions(${target} PRIVATE SEEDS="${folder}/seeds")
    add_dependencies(fuzz_targets ${target})
    add_test(NAME ${target}
        COMMAND ${target} --seconds ${MACRAME_FUZZ_SECONDS} --crash ${name}.crash
                --dictionary ${folder}/${name}.dict ${folder}/seeds/${name})
endforeach()
