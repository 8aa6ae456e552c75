# Installation: the program, its man page and completion, the golden models as libraries with a
# CMake package, documents; a Debian package by CPack.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Man page and completion come from the program's own option tables.
add_executable(macrame_cli_docs generator/tools/cli_docs_main.cpp)
target_link_libraries(macrame_cli_docs PRIVATE macrame_program macrame_families macrame_warnings)
set(MAN ${CMAKE_CURRENT_BINARY_DIR}/macrame.1)
set(COMPLETION ${CMAKE_CURRENT_BINARY_DIR}/macrame.bash)
add_custom_command(OUTPUT ${MAN} ${COMPLETION}
    COMMAND macrame_cli_docs ${MAN} ${COMPLETION}
    DEPENDS macrame_cli_docs)
add_custom_target(cli_docs ALL DEPENDS ${MAN} ${COMPLETION})

install(TARGETS macrame RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${MAN} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${COMPLETION} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME macrame)
install(FILES README.md CHANGELOG.md CONTRIBUTING.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The picture of README.md, and pages, keep the paths by which documents name them.
install(DIRECTORY rtl_out/nv_small/doc DESTINATION ${CMAKE_INSTALL_DOCDIR}/rtl_out/nv_small)
file(GLOB PAGES RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} generator/*/README.md templates/README.md
    templates/*/README.md fpga/README.md compiler/README.md compiler/*/README.md
    compiler/examples/*/README.md runtime/README.md runtime/*/README.md runtime/*/*/README.md
    tb/*/README.md tb/*/*/README.md verif/*/README.md verif/*/*/README.md
    scripts/*/README.md)
foreach(page IN LISTS PAGES)
    get_filename_component(folder ${page} DIRECTORY)
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()

# Libraries: golden model, layer checker, trace player. Headers keep the paths that they name.
set(HEADERS ${CMAKE_INSTALL_INCLUDEDIR}/macrame)
set(LIBRARIES macrame_verif)
install(DIRECTORY verif/common DESTINATION ${HEADERS}/verif FILES_MATCHING PATTERN "*.hpp")
foreach(family IN LISTS MACRAME_FAMILIES)
    list(APPEND LIBRARIES macrame_${family}_verif)
    install(DIRECTORY verif/${family} DESTINATION ${HEADERS}/verif FILES_MATCHING PATTERN "*.hpp"
        PATTERN test EXCLUDE)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/generated/${family}_regs.hpp
        DESTINATION ${HEADERS} OPTIONAL)
endforeach()
foreach(library IN LISTS LIBRARIES)
    string(REPLACE macrame_ "" name ${library})
    set_target_properties(${library} PROPERTIES EXPORT_NAME ${name})
endforeach()
# And what drivers link against.
install(FILES runtime/device/macrame_device.h DESTINATION ${HEADERS})
set_target_properties(macrame_device PROPERTIES EXPORT_NAME device)
list(APPEND LIBRARIES macrame_device)
# The program for programs: configurations, sessions.
if(MACRAME_LIBRARY)
    install(FILES generator/api/configuration.hpp generator/api/session.hpp
        DESTINATION ${HEADERS}/api)
    set_target_properties(macrame_library PROPERTIES EXPORT_NAME macrame)
    target_compile_features(macrame_library INTERFACE cxx_std_17)
    list(APPEND LIBRARIES macrame_library)
endif()
install(TARGETS ${LIBRARIES} EXPORT macrame
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${HEADERS})
set(PACKAGE ${CMAKE_INSTALL_LIBDIR}/cmake/macrame)
install(EXPORT macrame NAMESPACE macrame:: FILE macrameTargets.cmake DESTINATION ${PACKAGE})
set(CONFIG ${CMAKE_CURRENT_BINARY_DIR}/macrameConfig.cmake)
file(WRITE ${CONFIG} [[
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/macrameTargets.cmake)
]])
install(FILES ${CONFIG} DESTINATION ${PACKAGE})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/macrameConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/macrameConfigVersion.cmake DESTINATION ${PACKAGE})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME macrame)
set(CPACK_PACKAGE_CONTACT "macrame maintainers <maintainers@macrame.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "generator of deep-learning accelerators in Verilog")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "verilator, g++, make, zlib1g-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "iverilog, yosys")
include(CPack)
