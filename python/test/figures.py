#!/usr/bin/env python3
"""What the installed package takes: import, and a run beside that of C++. Exit status 1: too much.

    figures.py
"""
import pathlib
import platform
import resource
import statistics
import subprocess
import sys
import time

LONGEST_IMPORT = 0.2      # s of a processor, beside numpy
LONGEST_OVERHEAD = 0.001  # s of an inference
NETWORK = pathlib.Path(__file__).resolve().parents[2] / "compiler/examples/digits/digits.tflite"


def process_seconds(statement):
    """Of the processor, for a new process; what else the machine does counts little."""
    taken = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-B", "-c", statement], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return min(taken)


def median_seconds(function):
    taken = []
    for _ in range(100):
        begin = time.perf_counter()
        function()
        taken.append(time.perf_counter() - begin)
    return statistics.median(taken)


def overhead_seconds():
    """Of Session.run: what is around the call into C++, and what such a call takes by itself."""
    import macrame
    import numpy
    from macrame import _macrame
    session = macrame.Session(NETWORK, "4x4")
    value, = session.get_inputs()
    feeds = {value.name: numpy.zeros(value.shape, value.dtype)}
    outputs = _macrame.session_run(session._own, session._fed(feeds))
    around = median_seconds(lambda: (session._fed(feeds), session._arrays(outputs)))
    return around + median_seconds(lambda: _macrame.session_cycles(session._own))


def main():
    imported = process_seconds("import numpy, macrame") - process_seconds("import numpy")
    overhead = overhead_seconds()
    print(f"Python {platform.python_version()}: import {imported:.3f} s beside numpy, "
          f"{overhead * 1e6:.0f} us of an inference beside C++")
    return int(imported > LONGEST_IMPORT or overhead > LONGEST_OVERHEAD)


if __name__ == "__main__":
    sys.exit(main())
