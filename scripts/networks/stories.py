#!/usr/bin/env python3
"""Trains a small language model on stories that it makes up, and writes it as decoder.py does.

    stories.py FOLDER [--steps N]

FOLDER gets prefill.onnx, decode.onnx, embedding.bin, model.json and tokens.txt, a word for each
token. A story names an animal, and what it is like, at its beginning and again at its end. Wants
numpy, onnx and onnxruntime (scripts/executors.sh); half a minute of a processor.
"""
import argparse
from pathlib import Path

import numpy as np

import decoder

ANIMALS = "fox bird bear cat dog frog owl mouse".split()
LOOKS = "small big red old young quick quiet brave".split()
PLACES = "wood lake hill house garden field".split()
THINGS = "apples songs stones flowers stories games".split()
DEEDS = "found shared hid wanted".split()
MOODS = "happy tired sad proud".split()
OTHERS = ". once a the lived in liked one day it met they then was again and together end".split()


def vocabulary():
    words = [*OTHERS, *ANIMALS, *LOOKS, *PLACES, *THINGS, *DEEDS, *MOODS]
    return [word if word == "." else f" {word}" for word in words]


def story(rng):
    """Words of a story."""
    def one(of):  # the first ones more often, so that what is likeliest is clear
        return of[min(int(rng.geometric(0.4)), len(of)) - 1]
    look, animal = one(LOOKS), one(ANIMALS)
    other = one([a for a in ANIMALS if a != animal])
    thing, deed = one(THINGS), one(DEEDS)
    text = (f"once a {look} {animal} lived in the {one(PLACES)} . the {animal} liked {thing} . "
            f"one day it met a {one(LOOKS)} {other} . they {deed} {thing} together . "
            f"then the {look} {animal} was {one(MOODS)} again .")
    return text.split()


def rows_of(rng, count, length):
    """Rows of tokens, each from the beginning of a story on."""
    number = {word.strip(): i for i, word in enumerate(vocabulary())}
    rows = []
    for _ in range(count):
        words = []
        while len(words) < length:
            words += story(rng)
        rows.append([number[word] for word in words[:length]])
    return np.array(rows)


# -------------------------------------------------------------------- the model and its gradients

def normed(x, gains):
    """RMS norm, and what its gradient needs."""
    root = 1 / np.sqrt((x ** 2).mean(axis=-1, keepdims=True) + 1e-5)
    return x * root * gains, (x, root, gains)


def normed_back(dy, kept):
    x, root, gains = kept
    scaled = dy * gains
    dx = root * (scaled - x * root ** 2 * (scaled * x).mean(axis=-1, keepdims=True))
    return dx, (dy * x * root).sum(axis=(0, 1))


def times(x, w):
    return x @ w, (x.reshape(-1, x.shape[-1]), w)


def times_back(dy, kept):
    x, w = kept
    return dy @ w.T, x.T @ dy.reshape(-1, dy.shape[-1])


def half_turn(x):
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([second, first], axis=-1)


class Trainer:
    def __init__(self, weights, rate=3e-3):
        self.weights, self.rate, self.step = weights, rate, 0
        self.moments = {name: [np.zeros_like(w), np.zeros_like(w)]
                        for name, w in weights.all.items()}

    def heads(self, x):
        w = self.weights
        return x.reshape(*x.shape[:2], w.heads, w.depth).transpose(0, 2, 1, 3)

    @staticmethod
    def line(x):
        return x.transpose(0, 2, 1, 3).reshape(x.shape[0], x.shape[2], -1)

    def gradients(self, tokens):
        """Mean loss of the next tokens, and its gradients by name."""
        w, found = self.weights, {}
        rows, wanted = tokens[:, :-1], tokens[:, 1:]
        length = rows.shape[1]
        cosines, sines = (table[:length] for table in decoder.rotary(w))
        far = np.triu(np.full((length, length), -1e9, np.float32), 1)
        x = w["embedding"][rows]
        back = []  # from the last operator on: functions of the gradient of x
        for n in range(w.layers):
            x = self.attention(x, n, (cosines, sines, far), found, back)
            x = self.feed_forward(x, n, found, back)
        y, kept = normed(x, w["norm"])
        logits, kept_head = times(y, w["head"])
        e = np.exp(logits - logits.max(axis=-1, keepdims=True))
        shares = e / e.sum(axis=-1, keepdims=True)
        count = wanted.size
        picked = np.take_along_axis(shares, wanted[..., None], axis=-1)
        loss = float(-np.log(picked + 1e-9).mean())
        np.put_along_axis(shares, wanted[..., None], picked - 1, axis=-1)
        dy, found["head"] = times_back(shares / count, kept_head)
        dx, found["norm"] = normed_back(dy, kept)
        for function in reversed(back):
            dx = function(dx)
        found["embedding"] = np.zeros_like(w["embedding"])
        np.add.at(found["embedding"], rows, dx)
        return loss, found

    def attention(self, x, n, tables, found, back):
        w = self.weights
        cosines, sines, far = tables
        y, kept = normed(x, w[f"norm1.{n}"])
        parts = {name: times(y, w[f"{name}.{n}"]) for name in ("query", "key", "value")}
        q, k, v = (self.heads(parts[name][0]) for name in ("query", "key", "value"))

        def turn(z):
            return z * cosines + half_turn(z) * sines
        q, k = turn(q), turn(k)
        root = np.float32(w.depth ** -0.5)
        scores = q @ k.transpose(0, 1, 3, 2) * root + far
        e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares = e / e.sum(axis=-1, keepdims=True)
        mixed, kept_out = times(self.line(shares @ v), w[f"out.{n}"])

        def backward(dx):
            dy, found[f"out.{n}"] = times_back(dx, kept_out)
            dy = self.heads(dy)
            d_shares = dy @ v.transpose(0, 1, 3, 2)
            ds = shares * (d_shares - (d_shares * shares).sum(axis=-1, keepdims=True)) * root

            def unturn(dz):
                return dz * cosines + half_turn(dz * sines)
            of = {"query": unturn(ds @ k), "key": unturn(ds.transpose(0, 1, 3, 2) @ q),
                  "value": shares.transpose(0, 1, 3, 2) @ dy}
            total = 0
            for name, gradient in of.items():
                d, found[f"{name}.{n}"] = times_back(self.line(gradient), parts[name][1])
                total = total + d
            d, found[f"norm1.{n}"] = normed_back(total, kept)
            return dx + d
        back.append(backward)
        return x + mixed

    def feed_forward(self, x, n, found, back):
        w = self.weights
        y, kept = normed(x, w[f"norm2.{n}"])
        gate, kept_gate = times(y, w[f"gate.{n}"])
        up, kept_up = times(y, w[f"up.{n}"])
        share = 1 / (1 + np.exp(-gate))
        out, kept_down = times(gate * share * up, w[f"down.{n}"])

        def backward(dx):
            dy, found[f"down.{n}"] = times_back(dx, kept_down)
            d_gate = dy * up * share * (1 + gate * (1 - share))
            d1, found[f"gate.{n}"] = times_back(d_gate, kept_gate)
            d2, found[f"up.{n}"] = times_back(dy * gate * share, kept_up)
            d, found[f"norm2.{n}"] = normed_back(d1 + d2, kept)
            return dx + d
        back.append(backward)
        return x + out

    def update(self, found, factor):
        """Adam; factor: of the rate."""
        self.step += 1
        rate = self.rate * factor * np.sqrt(1 - 0.99 ** self.step) / (1 - 0.9 ** self.step)
        for name, gradient in found.items():
            first, second = self.moments[name]
            first += 0.1 * (gradient - first)
            second += 0.01 * (gradient ** 2 - second)
            self.weights.all[name] -= (rate * first / (np.sqrt(second) + 1e-8)).astype(np.float32)


def train(steps, seed=1):
    shape = list(decoder.SHAPES["tiny"])
    shape[4] = len(vocabulary())
    weights = decoder.Weights(shape, seed=seed)
    weights.all["embedding"] *= np.float32(0.5)
    trainer, rng = Trainer(weights), np.random.default_rng(seed)
    for step in range(steps):
        loss, found = trainer.gradients(rows_of(rng, 16, 49))
        trainer.update(found, min(1, (step + 1) / 50) * (1 - step / steps))
        if step % 100 == 0 or step + 1 == steps:
            print(f"step {step}: loss {loss:.3f}", flush=True)
    for n in range(weights.layers):  # as decoder.py wants them
        weights.all[f"query.{n}"] *= np.float32(weights.depth ** -0.5)
    return weights


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=600)
    arguments = parser.parse_args()
    weights = train(arguments.steps)
    decoder.write(arguments.folder, weights, 8, rows_of(np.random.default_rng(2), 16, 48))
    (arguments.folder / "tokens.txt").write_text("".join(f"{w}\n" for w in vocabulary()))


if __name__ == "__main__":
    main()
