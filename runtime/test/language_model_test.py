#!/usr/bin/env python3
"""The example language_model on a golden model writes the tokens of the reference executor.

    language_model_test.py MACRAME LIBRARY GRAPH_RUN FOLDER

LIBRARY is libmacrame_device.a; FOLDER is for what is made.
"""
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STORIES = ROOT / "compiler/examples/stories"
ROW = "--preset nv_small --row-enable true"
COUNT = 36


def call(*command, **more):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, **more)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done


def signed(byte):
    return byte - 256 if byte > 127 else byte


class Reference:
    """Both networks by the reference executor, the cache as inputs and outputs of a run."""

    def __init__(self, graph_run, folder):
        self.graph_run, self.folder = graph_run, folder
        self.about = json.loads((STORIES / "model.json").read_text())
        self.table = (STORIES / "embedding.bin").read_bytes()
        depth = self.about["width"] // self.about["heads"]
        self.bytes = self.about["heads"] * self.about["context"] * depth
        self.cache = [bytes(self.bytes) for _ in self.about["states"]]

    def run(self, network, tokens, position):
        """The token whose logit is the largest, of equal ones the first."""
        width, step = self.about["width"], self.about["prompt"]
        is_prompt = network == "prefill"
        x = b"".join(self.table[t * width:(t + 1) * width] for t in tokens)
        x = x.ljust((step if is_prompt else 1) * width, b"\0")
        last = (len(tokens) - 1).to_bytes(8, "little") if is_prompt else b""
        (self.folder / "in.bin").write_bytes(
            x + position.to_bytes(8, "little") + b"".join(self.cache) + last)
        call(self.graph_run, STORIES / f"{network}.onnx", self.folder / "in.bin", self.folder)
        out = (self.folder / "outputs.bin").read_bytes()
        count = self.about["tokens"]
        assert len(out) == count + self.bytes * len(self.cache)
        self.cache = [out[at:at + self.bytes] for at in range(count, len(out), self.bytes)]
        logits = [signed(byte) for byte in out[:count]]
        return logits.index(max(logits))

    def greedy(self, prompt):
        step = self.about["prompt"]
        for begin in range(0, len(prompt), step):
            token = self.run("prefill", prompt[begin:begin + step], begin)
        out = [token]
        while len(out) < COUNT:
            out.append(self.run("decode", out[-1:], len(prompt) + len(out) - 1))
        return out


def main():
    macrame, library, graph_run = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    folder = pathlib.Path(sys.argv[4]).resolve()
    (folder / "reference").mkdir(parents=True, exist_ok=True)
    words = (STORIES / "tokens.txt").read_text().splitlines()
    prompt = " once a brave owl lived in the garden . the owl".replace(" .", ".")
    reference = Reference(graph_run, folder / "reference")
    rest, tokens = prompt, []
    while rest:
        tokens.append(max((i for i, word in enumerate(words) if rest.startswith(word)),
                          key=lambda i: len(words[i])))
        rest = rest[len(words[tokens[-1]]):]
    wanted = "".join(words[token] for token in reference.greedy(tokens))
    states = [word for state in reference.about["states"] for word in ("--state", state)]
    program = folder / "program"
    call(macrame, "compile", STORIES / "prefill.onnx", STORIES / "decode.onnx", *ROW.split(),
         *states, "--out", program)
    for name in ("embedding.bin", "tokens.txt"):
        (program / name).write_bytes((STORIES / name).read_bytes())
    call("make", "-s", "-B", "-f", ROOT / "runtime/examples/language_model/Makefile",
         f"PROGRAM={program}", f"LIBRARY={library.parent}", cwd=folder)

    def told(*more):
        return call(folder / "language_model", "model", ROW, program, prompt, COUNT, *more,
                    env={**os.environ, "MACRAME": str(macrame)})
    done = told()
    print(prompt + done.stdout.rstrip("\n"))
    assert done.stdout == wanted + "\n", f"{done.stdout!r}: want {wanted!r}"
    assert " bytes of memory a token; " in done.stderr, done.stderr
    drawn = [told("2.0", seed).stdout for seed in (3, 3, 4)]
    assert drawn[0] == drawn[1] != drawn[2], drawn
    assert len(set(drawn)) == 2 and wanted not in drawn, drawn


if __name__ == "__main__":
    main()
