# Tests of the systolic family with the whole program.

# Conformance data is taken from the folder in MACRAME_SYSTOLIC.
add_test(NAME systolic_simulate
    COMMAND Python3::Interpreter -B ${MACRAME_SOURCE_DIR}/verif/systolic/test/simulate_test.py
            $<TARGET_FILE:macrame>)
set_tests_properties(systolic_simulate PROPERTIES SKIP_RETURN_CODE 77)
