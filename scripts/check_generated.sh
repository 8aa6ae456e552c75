#!/usr/bin/env bash
# Compares every folder of rtl_out, named after its preset, with what the generator makes now.
#   scripts/check_generated.sh MACRAME [--update]      --update: bring rtl_out up to date
set -eu
macrame=$(realpath "${1:-build/macrame}")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
diagram=doc/block_diagram.svg
failed=0
for folder in rtl_out/*/; do
    preset=$(basename "$folder")
    made=$scratch/$preset
    "$macrame" generate --preset "$preset" --out "$made" > /dev/null 2>&1 || {
        echo "$folder: macrame generate --preset $preset fails"
        exit 1
    }
    if [ "${2:-}" = --update ]; then
        rm -rf "$folder/rtl" "$folder/doc"
        mkdir "$folder/doc"
        cp -r "$made/rtl" "$made/filelist.f" "$folder"
        cp "$made/$diagram" "$folder/doc"
        continue
    fi
    for name in rtl filelist.f "$diagram"; do
        diff -r "$folder$name" "$made/$name" || failed=1
    done
done
[ "$failed" = 0 ] || {
    echo "rtl_out is not what the generator makes: run $0 MACRAME --update"
    exit 1
}
