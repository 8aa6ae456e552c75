# Boards: the host side as a library; tests of the bridge and the memories of boards.

macrame_glob(HOST_SOURCES ${MACRAME_SOURCE_DIR} ${MACRAME_SOURCE_DIR}/fpga/host/*.cpp)
add_library(macrame_host STATIC ${HOST_SOURCES})
target_include_directories(macrame_host PUBLIC ${MACRAME_SOURCE_DIR})
target_link_libraries(macrame_host PUBLIC macrame_verif PRIVATE macrame_warnings)
