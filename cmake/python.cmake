# The module of the Python package (python/), beside links to the package, so that a build folder is
# one that PYTHONPATH may name. pip builds it by pyproject.toml. One module is for all versions of
# Python from 3.9 on (python/stable.hpp).

find_package(Python 3.9 COMPONENTS Interpreter Development.Module)
if(NOT Python_FOUND)
    message(STATUS "no Python module: it needs the headers of Python")
    return()
endif()
add_library(_macrame MODULE python/module.cpp python/device.cpp)
target_link_libraries(_macrame PRIVATE Python::Module macrame_api macrame_device macrame_warnings)
set(PACKAGE ${CMAKE_BINARY_DIR}/python/macrame)
set_target_properties(_macrame PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PACKAGE}
    PREFIX "" SUFFIX .abi3.so)
# Of earlier builds, with names that Python looks for first.
file(GLOB OTHERS ${PACKAGE}/_macrame.cpython-*)
if(OTHERS)
    file(REMOVE ${OTHERS})
endif()
file(GLOB PACKAGE_SOURCES CONFIGURE_DEPENDS python/macrame/*.py python/macrame/*.pyi
    python/macrame/py.typed)
foreach(source IN LISTS PACKAGE_SOURCES)
    get_filename_component(name ${source} NAME)
    file(MAKE_DIRECTORY ${PACKAGE})
    file(CREATE_LINK ${source} ${PACKAGE}/${name} SYMBOLIC)
endforeach()
if(SKBUILD)
    install(TARGETS _macrame LIBRARY DESTINATION macrame COMPONENT python)
    install(PROGRAMS $<TARGET_FILE:macrame> DESTINATION ${SKBUILD_SCRIPTS_DIR} COMPONENT python)
endif()
