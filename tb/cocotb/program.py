"""A program of `macrame simulate --model --verilog FOLDER`: files as in tb/verilog/README.md."""
import pathlib
from typing import NamedTuple

PAGE = 4096


class Command(NamedTuple):
    """A line of program.hex; what the numbers mean depends on the letter."""
    letter: str
    a: int
    b: int
    c: int
    d: int
    name: str


def commands(folder):
    """The lines of program.hex. ValueError: one is none, or the last one is missing."""
    path = pathlib.Path(folder) / "program.hex"
    found = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        words = line.split()
        if len(words) != 6:
            raise ValueError(f"{path}:{number}: {line}: want a letter, four numbers and a name")
        found.append(Command(words[0], *(int(word, 16) for word in words[1:5]), words[5]))
    if not found or found[-1].letter != "q":
        raise ValueError(f"{path}: ends without the command q")
    return found


def pages(folder, memory, when):
    """What a memory holds `when` ("before" or "after"): {address of a page: its bytes}."""
    folder = pathlib.Path(folder)
    numbers = [int(line, 16) for line in (folder / f"{memory}_pages.hex").read_text().split()]
    words = (folder / f"{memory}_{when}.hex").read_text().split()
    image = b"".join(int(word, 16).to_bytes(8, "little") for word in words)
    if len(image) != PAGE * len(numbers):
        raise ValueError(f"{folder}/{memory}_{when}.hex: found {len(image)} bytes, want those of "
                         f"{len(numbers)} pages")
    return {PAGE * number: image[PAGE * i:PAGE * (i + 1)] for i, number in enumerate(numbers)}


def beats(folder):
    """The words of stream.hex as numbers, and their bytes."""
    words = (pathlib.Path(folder) / "stream.hex").read_text().split()
    return [int(word, 16) for word in words], len(words[0]) // 2
