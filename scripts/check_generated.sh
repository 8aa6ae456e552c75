#!/usr/bin/env bash
# Compares rtl_out/nv_small with what the generator makes now.
#   scripts/check_generated.sh MACRAME [--update]      --update: bring rtl_out up to date
set -eu
macrame=$(realpath "${1:-build/macrame}")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$macrame" generate --preset nv_small --out "$scratch" >/dev/null 2>&1
if [ "${2:-}" = --update ]; then
    mkdir -p rtl_out/nv_small
    rm -rf rtl_out/nv_small/rtl
    cp -r "$scratch/rtl" "$scratch/filelist.f" rtl_out/nv_small/
    exit
fi
for name in rtl filelist.f; do
    diff -r "rtl_out/nv_small/$name" "$scratch/$name" || {
        echo "rtl_out/nv_small is not what the generator makes: run $0 MACRAME --update"
        exit 1
    }
done
