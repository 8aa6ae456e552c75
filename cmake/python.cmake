# The module of the Python package (python/), beside a copy of the package, so that a build folder is
# one that PYTHONPATH may name. pip builds it by pyproject.toml.

find_package(Python 3.9 COMPONENTS Interpreter Development.Module)
find_package(pybind11 CONFIG)
if(NOT Python_FOUND OR NOT pybind11_FOUND)
    message(STATUS "no Python module: it needs pybind11 and the headers of Python")
    return()
endif()
pybind11_add_module(_macrame NO_EXTRAS python/module.cpp)
target_link_libraries(_macrame PRIVATE macrame_api macrame_warnings)
set(PACKAGE ${CMAKE_BINARY_DIR}/python/macrame)
set_target_properties(_macrame PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PACKAGE})
add_custom_command(TARGET _macrame POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${CMAKE_SOURCE_DIR}/python/macrame/__init__.py ${PACKAGE})
if(SKBUILD)
    install(TARGETS _macrame LIBRARY DESTINATION macrame COMPONENT python)
    install(PROGRAMS $<TARGET_FILE:macrame> DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
endif()
