# The network compiler: graph, front ends; program files are in runtime.cmake. It knows no accelerator.

find_program(FLATC flatc REQUIRED)
find_path(FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h REQUIRED)
set(COMPILER_GENERATED ${CMAKE_CURRENT_BINARY_DIR}/generated/compiler)

# Headers of file formats, made from our schemas.
set(TFLITE_SCHEMA ${MACRAME_SOURCE_DIR}/compiler/front/tflite.fbs)
add_custom_command(OUTPUT ${COMPILER_GENERATED}/tflite_generated.h
    COMMAND ${FLATC} --cpp --scoped-enums -o ${COMPILER_GENERATED} ${TFLITE_SCHEMA}
    DEPENDS ${TFLITE_SCHEMA}
    COMMENT "Making tflite_generated.h")

find_package(Protobuf REQUIRED)
set(ONNX_SCHEMA ${MACRAME_SOURCE_DIR}/compiler/front/onnx.proto)
add_custom_command(OUTPUT ${COMPILER_GENERATED}/onnx.pb.h ${COMPILER_GENERATED}/onnx.pb.cc
    COMMAND protobuf::protoc --cpp_out=${COMPILER_GENERATED}
            --proto_path=${MACRAME_SOURCE_DIR}/compiler/front ${ONNX_SCHEMA}
    DEPENDS ${ONNX_SCHEMA}
    COMMENT "Making onnx.pb.h")
add_library(macrame_onnx_schema STATIC ${COMPILER_GENERATED}/onnx.pb.cc)
target_include_directories(macrame_onnx_schema SYSTEM PUBLIC ${COMPILER_GENERATED})
target_link_libraries(macrame_onnx_schema PUBLIC protobuf::libprotobuf-lite)

macrame_glob(COMPILER_SOURCES ${MACRAME_SOURCE_DIR} ${MACRAME_SOURCE_DIR}/compiler/graph/*.cpp
    ${MACRAME_SOURCE_DIR}/compiler/front/*.cpp ${MACRAME_SOURCE_DIR}/compiler/host_c/*.cpp)
list(APPEND COMPILER_SOURCES
    ${MACRAME_SOURCE_DIR}/compiler/bandwidth.cpp ${MACRAME_SOURCE_DIR}/compiler/declared.cpp
    ${MACRAME_SOURCE_DIR}/compiler/host.cpp ${MACRAME_SOURCE_DIR}/compiler/host_time.cpp
    ${MACRAME_SOURCE_DIR}/compiler/dump.cpp ${MACRAME_SOURCE_DIR}/compiler/memory.cpp
    ${MACRAME_SOURCE_DIR}/compiler/parts.cpp)
add_library(macrame_compiler STATIC ${COMPILER_SOURCES}
    ${COMPILER_GENERATED}/tflite_generated.h ${COMPILER_GENERATED}/onnx.pb.h)
target_include_directories(macrame_compiler PUBLIC ${MACRAME_SOURCE_DIR})
target_include_directories(macrame_compiler SYSTEM PUBLIC
    ${COMPILER_GENERATED} ${FLATBUFFERS_INCLUDE})
# No texts that are numbers: else headers want the library of flatbuffers.
target_compile_definitions(macrame_compiler PUBLIC FLATBUFFERS_LOCALE_INDEPENDENT=0)
target_link_libraries(macrame_compiler PUBLIC macrame_program_file macrame_onnx_schema fmt::fmt
    Threads::Threads
    PRIVATE macrame_warnings)
