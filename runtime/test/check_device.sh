#!/usr/bin/env bash
# A driver linked against the device library: golden model and design of a configuration; mistakes.
#   check_device.sh MACRAME LIBRARY FOLDER
set -eu
macrame=$1 library=$2 folder=$3
runtime=$(realpath "$(dirname "$0")/..")
export MACRAME=$macrame
mkdir -p "$folder"
configuration=(--preset nv_small)
"$macrame" generate "${configuration[@]}" --out "$folder/design" > "$folder/log"
"${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I"$runtime/device" -I"$folder/design/include" \
    "$runtime/examples/device_driver/main.c" "$library" -o "$folder/driver"
"$folder/driver" model "${configuration[@]}"
"$folder/driver" rtl "${configuration[@]}" --latency 20 --build-dir "$folder/build"
# What it does can be played again, on both.
"$folder/driver" model "${configuration[@]}" --strict --record "$folder/run.cfg"
grep -q "^mem_check(" "$folder/run.cfg"
"$macrame" simulate "${configuration[@]}" --model --strict --trace "$folder/run.cfg"
"$macrame" simulate "${configuration[@]}" --both --build-dir "$folder/build" \
    --trace "$folder/run.cfg"

# Mistakes end in one message and no device.
expect() { # exit status, message, arguments of the driver
    local status=0 wanted=$1 message=$2
    shift 2
    "$folder/driver" "$@" 2> "$folder/errors" > "$folder/out" || status=$?
    if [ "$status" != "$wanted" ] || ! grep -q -- "$message" "$folder/errors"; then
        echo "driver $*: exit status $status, \"$(cat "$folder/errors")\": want $wanted, \"$message\""
        exit 1
    fi
}
expect 2 "record.*serve\|serve.*record\|record" model --preset nv_small --record /no/such/folder/x
expect 2 "want 8, 16, 32 or 64" model --mac-atomic-c-size 7
expect 2 "random.*serve\|serve.*random" model --random 3
for option in "--jobs 2" "--csv x" "--json x" "--junit x" "--coverage -" "--csb-idle 3" \
    "--resets 1" "--faults 1"; do
    expect 2 "${option%% *}" model --preset nv_small $option
done
# A program that ends behind its hello.
cat > "$folder/gone" <<'END'
#!/usr/bin/env bash
while [ "$1" != --serve ]; do shift; done
printf 'device1\0' >& "$2"
END
chmod +x "$folder/gone"
"${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I"$runtime/device" -I"$folder/design/include" \
    "$runtime/device/test/device_test.c" "$library" -o "$folder/device_test"
GONE=$folder/gone "$folder/device_test" "--preset nv_large" "--preset nv_small" 2> "$folder/errors"
grep -q "no memory port 1" "$folder/errors"
grep -q "4 bytes of memory at 0x100000000: want them below the end of addresses of 32 bits" \
    "$folder/errors"
# A program for other hardware, and a block beyond the addresses, by callers who compare nothing.
"${CC:-cc}" -std=c99 -Wall -Wextra -Werror -I"$runtime" -I"$runtime/device" \
    "$runtime/device/test/program_test.c" "$runtime/macrame.c" "$runtime/macrame_open.c" \
    "$library" -o "$folder/program_test"
digits=$runtime/../compiler/examples/digits/digits.tflite
"$macrame" compile "$digits" --preset nv_small --out "$folder/small" > "$folder/log"
"$macrame" compile "$digits" --preset nv_small --mac-atomic-c 16 --out "$folder/wide" > "$folder/log"
runs() { # program, message, configuration and address
    local program=$folder/$1/digits.program wanted=$2
    shift 2
    "$folder/program_test" "$1" "$program" "${@:2}" > "$folder/out" 2> "$folder/errors" || true
    if ! grep -q -- "$wanted" "$folder/out"; then
        echo "$program on $*: \"$(cat "$folder/out")\": want \"$wanted\""
        exit 1
    fi
}
for machine in "" " --cfgrom-words derived" " --control-bus apb4"; do
    runs small "^hardware .*known: no error" "--preset nv_small$machine"
done
runs small "^hardware known: no error" "--preset nv_small"
runs wide "^hardware known: no error" "--preset nv_small --mac-atomic-c 16"
for machine in "" " --cfgrom-words derived"; do
    runs wide "compiled for other hardware" "--preset nv_small$machine"
    runs small "compiled for other hardware" "--preset nv_small --mac-atomic-c 16$machine"
    runs small "compiled for other hardware" "--preset nv_large$machine"
done
runs small "no error" "--preset nv_small" 0xffff0000
runs small "^hardware known: no error" "--preset nv_small --latency 20 --build-dir $folder/build" \
    0x80000000 rtl
runs small "not below the end" "--preset nv_small" 0xfffff000
runs small "not below the end" "--preset nv_small" 0x100000000
MACRAME=/nowhere/macrame expect 2 "/nowhere/macrame: cannot run" model
echo "the driver works on golden model and design, mistakes are told"
