"""A board as a program: its Verilated top behind a pseudo-terminal. For the tests of families."""

import subprocess


def run(*command, **more):
    return subprocess.run([str(c) for c in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=1500, **more)


def said(text):
    """All but the report with which newer Verilators end."""
    return "".join(line for line in text.splitlines(True)
                   if not line.startswith(("- V e r i l a t i o n", "- Verilator: ")))


class Board:
    """The program of a board, made in the folder `out`; `with` gives the name of its terminal."""

    def __init__(self, macrame, out, configuration, board, *options):
        self.out = out
        done = run(macrame, "fpga", "--board", board, *configuration, "--out", out, *options)
        assert done.returncode == 0, done.stdout
        done = run("make", "-C", out / "sim")
        assert done.returncode == 0, done.stdout

    def __enter__(self):
        self.program = subprocess.Popen([self.out / "sim/build/board"], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        return self.program.stdout.readline().strip()

    def __exit__(self, *_):
        try:
            self.said = self.program.communicate(timeout=60)[1]
        except subprocess.TimeoutExpired:
            self.program.kill()
            self.said = self.program.communicate()[1] + "does not end"
        self.program.stdout.close()


def lint(macrame, out, configuration, board):
    """What Verilator says of the top of a board, an empty text if nothing; None if the
    configuration does not go onto the board."""
    if run(macrame, "fpga", "--board", board, *configuration, "--out", out).returncode != 0:
        return None
    done = run("make", "--silent", "--no-print-directory", "-C", out, "lint")
    return said(done.stdout) + ("" if done.returncode == 0 else f"status {done.returncode}")


def lint_all(macrame, out, small, tiny=()):
    """The boards whose tops were linted, with what Verilator says of each: those onto which the
    configuration goes, `tiny` on iCE40 if there is one, `small` elsewhere."""
    boards = [line.split()[0] for line in run(macrame, "list", "boards").stdout.splitlines()]
    texts = {board: lint(macrame, out / f"lint_{board}",
                         tiny if tiny and board.startswith("ice40") else small, board)
             for board in boards}
    return {board: text for board, text in texts.items() if text is not None}
