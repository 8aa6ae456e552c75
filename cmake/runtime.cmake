# Program files of compiled networks and the C library that runs them.

# The C sources are those of boards: one at a time.
set(CMAKE_UNITY_BUILD OFF)

# C99 without a library below it; as boards have it.
# What families need beside is in folders of their names.
file(GLOB RUNTIME_SOURCES CONFIGURE_DEPENDS runtime/*.c runtime/*/*.c)
list(FILTER RUNTIME_SOURCES EXCLUDE REGEX "/runtime/(device|examples|linux)/")
add_library(macrame_runtime STATIC ${RUNTIME_SOURCES})
target_include_directories(macrame_runtime PUBLIC $<BUILD_INTERFACE:${MACRAME_SOURCE_DIR}>)
set_target_properties(macrame_runtime PROPERTIES
    C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
target_compile_options(macrame_runtime PRIVATE -ffreestanding)
target_link_libraries(macrame_runtime PRIVATE $<BUILD_INTERFACE:macrame_warnings>)

# For runtime/python.
add_library(macrame_runtime_shared SHARED ${RUNTIME_SOURCES})
set_target_properties(macrame_runtime_shared PROPERTIES OUTPUT_NAME macrame_runtime
    C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
target_link_libraries(macrame_runtime_shared PRIVATE macrame_warnings)

# A simulated accelerator for drivers: needs POSIX, starts the program.
add_library(macrame_device STATIC runtime/device/macrame_device.c)
target_include_directories(macrame_device
    PUBLIC $<BUILD_INTERFACE:${MACRAME_SOURCE_DIR}/runtime/device>
    PRIVATE ${MACRAME_SOURCE_DIR})
set_target_properties(macrame_device PROPERTIES
    C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
target_link_libraries(macrame_device PRIVATE $<BUILD_INTERFACE:macrame_warnings>)

set(CMAKE_UNITY_BUILD ${MACRAME_UNITY})

# The file: writer, reader, listing; a program on a simulated accelerator.
file(GLOB PROGRAM_FILE_SOURCES CONFIGURE_DEPENDS compiler/program/*.cpp runtime/play/*.cpp)
add_library(macrame_program_file STATIC ${PROGRAM_FILE_SOURCES})
target_include_directories(macrame_program_file PUBLIC ${MACRAME_SOURCE_DIR})
target_link_libraries(macrame_program_file PUBLIC macrame_runtime macrame_verif
    PRIVATE fmt::fmt macrame_warnings)
