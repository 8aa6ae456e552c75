#!/usr/bin/env bash
# Installs the build, and makes and unpacks the Debian package; from an empty folder, with the
# source tree out of reach, the program runs its example and a project uses the golden model and
# libmacrame.
#   check_install.sh BUILD
set -eu
build=$(realpath "$1")
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cmake --install "$build" --prefix "$scratch/prefix" > "$scratch/log" || { cat "$scratch/log"; exit 1; }
(cd "$build" && cpack -G DEB -B "$scratch" > "$scratch/log" 2>&1) || { cat "$scratch/log"; exit 1; }
dpkg-deb -x "$scratch"/*.deb "$scratch/deb"
dpkg-deb -I "$scratch"/*.deb | grep -E "Package|Depends|Recommends"

# Nothing installed may name the source tree.
if grep -rIl "$(realpath "$here/../../..")" "$scratch/prefix" "$scratch/deb"; then
    echo "these name the source tree"
    exit 1
fi
for root in "$scratch/prefix" "$scratch/deb/usr"; do
    mkdir "$scratch/empty"
    cd "$scratch/empty"
    "$root/bin/macrame" --version
    "$root/bin/macrame" generate --preset nv_small --out design
    "$root/bin/macrame" simulate --preset nv_small --model --picture --png picture.png
    [ -s picture.png ]
    [ -s "$root/share/man/man1/macrame.1" ] || [ -s "$root/share/man/man1/macrame.1.gz" ]
    bash -n "$root/share/bash-completion/completions/macrame"
    "$here/../../../scripts/doc_links.py" "$root/share/doc/macrame"
    cd /
    rm -rf "$scratch/empty"
done
cp -r "$here" "$scratch/consumer"
cp "$here/../../../runtime/examples/device_driver/main.c" "$scratch/consumer/driver.c"
cd "$scratch/consumer"
cmake -S . -B build -DCMAKE_PREFIX_PATH="$scratch/prefix" -DMODELS=dla_verif > "$scratch/log" &&
    cmake --build build >> "$scratch/log" || { cat "$scratch/log"; exit 1; }
build/consumer
# libmacrame estimates and generates as the program does, and says what is wrong.
cp -r "$here/../../../generator/api/example" "$scratch/example"
cd "$scratch/example"
cmake -S . -B build -DCMAKE_PREFIX_PATH="$scratch/prefix" > "$scratch/log" &&
    cmake --build build >> "$scratch/log" || { cat "$scratch/log"; exit 1; }
network=$(realpath "$here/../../../compiler/examples/digits/digits.tflite")
macrame="$scratch/prefix/bin/macrame"
build/estimate "$network" 8x8 own > own.json
"$macrame" estimate "$network" --preset 8x8 --json told.json > "$scratch/log"
"$macrame" generate --preset 8x8 --out told > "$scratch/log"
cmp own.json told.json
diff -r own told
if build/estimate "$network" 8x9 own 2> own.log; then echo "8x9 passed"; exit 1; fi
"$macrame" generate --preset 8x9 --out none 2> told.log || true
diff <(sed 's/^estimate: //' own.log) <(sed 's/^macrame: //' told.log)
cd "$scratch/consumer"
# A driver with the installed device library and program.
"$macrame" generate --preset nv_small --out design > "$scratch/log"
cc -std=c99 -Idesign/include -I"$scratch/prefix/include/macrame" driver.c \
    "$(find "$scratch/prefix" -name libmacrame_device.a)" -o driver
MACRAME=$macrame ./driver model --preset nv_small
