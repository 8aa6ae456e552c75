#!/usr/bin/env bash
# The driver in Debian's kernel for arm64, in QEMU: driver_test.sh MACRAME FOLDER
# Compiles it against the headers of that kernel, adds board.dtsi of an Ultra96-V2 to the device tree
# of QEMU's machine with memory in place of the accelerator, and boots into driver_init.c.
# Exit status 77: a tool is missing, or Debian's packages are out of reach.
set -eu
macrame=$(realpath "$1")
mkdir -p "$2"
work=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
runtime=$(realpath "$here/../..")
for tool in apt-get dpkg dtc aarch64-linux-gnu-gcc qemu-system-aarch64; do
    command -v $tool > /dev/null || { echo "skipped: no $tool"; exit 77; }
done

# Kernel and headers, of a package list of its own: nothing is installed.
if [ ! -e "$work/root/complete" ]; then
    mkdir -p "$work"/apt/{state/lists,cache/archives}/partial "$work/packages"
    : > "$work/apt/status"
    arm64=(-q -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o APT::Sandbox::User=root
        -o Dir::State="$work/apt/state" -o Dir::Cache="$work/apt/cache"
        -o Dir::State::status="$work/apt/status")
    newest() { apt-cache "${arm64[@]}" depends "$1" | sed -n "s/.*Depends: \($1\|${1%-arm64}-.*\)/\1/p"; }
    (
        cd "$work/packages"
        apt-get "${arm64[@]}" update
        headers=$(newest linux-headers-arm64)
        apt-get "${arm64[@]}" download "$(newest linux-image-arm64)" "$headers" \
            "${headers%-arm64}-common"
        version=${headers#linux-headers-}
        apt-get -q download "linux-kbuild-${version%%.[0-9]-*}" || apt-get -q download linux-kbuild-6.1
    ) > "$work/packages.log" 2>&1 || { echo "skipped: no packages, $work/packages.log"; exit 77; }
    for package in "$work"/packages/*.deb; do dpkg -x "$package" "$work/root"; done
    sed -i "s|include /usr/src|include $work/root/usr/src|" "$work"/root/usr/src/*-arm64/Makefile
    touch "$work/root/complete"
fi

rm -rf "$work/driver" "$work/files"
cp -r "$runtime/linux/driver" "$work/driver"
cp "$runtime"/macrame*.[ch] "$work/driver"
make -C "$work"/root/usr/src/*-arm64 M="$work/driver" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- \
    W=1 KCFLAGS=-Werror > "$work/make.log" 2>&1 || { cat "$work/make.log"; exit 1; }
echo "compiled for $(ls "$work/root/lib/modules")"

"$macrame" fpga --board ultra96-v2 --preset nv_small --out "$work/project" > "$work/log"
"$macrame" compile "$runtime/../compiler/examples/digits/digits.tflite" --preset nv_small \
    --control-bus axi4-lite --memory-bus axi4 --out "$work/net" > "$work/log"

# QEMU's memory begins where the board's is half: ours is moved. Registers are memory, too.
registers=a0000000 memory=90000000 interrupt=89
qemu=(qemu-system-aarch64 -M virt,gic-version=2 -cpu cortex-a57 -m 2048 -nic none -nographic -no-reboot)
"${qemu[@]}" -M dumpdtb="$work/virt.dtb" 2> "$work/log"
dtc -q -I dtb -O dts "$work/virt.dtb" | sed 's/intc@8000000 {/gic: &/' > "$work/system.dts"
sed "s/40000000/$memory/" "$work/project/board.dtsi" > "$work/board.dtsi"
cat >> "$work/system.dts" << END
/ {
    zynqmp_clk: zynqmp_clk {
        compatible = "fixed-clock";
        #clock-cells = <1>;
        clock-frequency = <150000000>;
    };
    reserved-memory {
        registers@$registers {
            reg = <0x0 0x$registers 0x0 0x40000>;
            no-map;
        };
    };
};
/include/ "board.dtsi"
END
dtc -q -o "$work/system.dtb" "$work/system.dts"

mkdir -p "$work/files"
cat > "$work/place.h" << END
enum { INTERRUPT = $interrupt, REGISTER_BYTES = 0x40000 };
#define REGISTERS 0x${registers}u
#define MEMORY 0x${memory}u
END
aarch64-linux-gnu-gcc -static -O2 -Wall -Wextra -Werror -I"$work" -I"$runtime" -I"$runtime/linux/driver" \
    -I"$work/project/include" "$here/driver_init.c" "$runtime"/macrame*.c -o "$work/files/init"
cp "$work/driver/macrame_accelerator.ko" "$work/files/driver.ko"
cp "$work/net/digits.program" "$work/files/program"
python3 "$here/initramfs.py" "$work"/files/* > "$work/initramfs"
timeout 300 "${qemu[@]}" -kernel "$work"/root/boot/vmlinuz-* -dtb "$work/system.dtb" \
    -initrd "$work/initramfs" -append "console=ttyAMA0 iomem=relaxed panic=-1 loglevel=5" \
    > "$work/console" < /dev/null || true
tr -d '\r' < "$work/console" | grep -E "driver: |macrame|WARN|BUG|Oops|panic" || true
grep -q "driver: well" "$work/console" || { echo "failed: $work/console"; exit 1; }
if grep -E "WARNING|BUG|Oops" "$work/console"; then exit 1; fi
