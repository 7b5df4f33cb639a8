#!/usr/bin/env bash
# Install the Debian packages that building and testing need, once.
#
#     tools/setup.sh          to build, test and run the demo
#     tools/setup.sh bench    the peers of the benchmarks too
#     tools/setup.sh fuzz     clang and libFuzzer too
#     tools/setup.sh windows  mingw-w64 and wine too
#     tools/setup.sh arm      a compiler for ARM and qemu too
#
# Asks dpkg first; without anything missing it neither uses the network nor needs root.
# PKM_SETUP=skip passes it by, for systems that have the tools under other names.
set -euo pipefail

packages=(gcc g++ libc6-dev make cmake ninja-build pkg-config
          libopenblas-dev liblapacke-dev libfyaml-dev libhdf5-dev
          libsundials-dev libsqlite3-dev libopenmpi-dev openmpi-bin
          python3 python3-jsonschema python3-yaml python3-numpy python3-cffi librsvg2-bin clang-format
          chromium firefox-esr
          clang-16 lld-16 llvm-16 wasi-libc libclang-rt-16-dev-wasm32)
# Node.js comes from Debian unless there is one already; other packages of it bring npm along.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)
if [[ "${1:-}" == bench ]]; then
    packages+=(libmujoco-dev libsimbody-dev)
fi
if [[ "${1:-}" == fuzz ]]; then
    packages+=(clang libclang-rt-14-dev)
fi
if [[ "${1:-}" == arm ]]; then
    packages+=(gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-user)
fi
if [[ "${1:-}" == windows ]]; then
    packages+=(gcc-mingw-w64-x86-64 wine64)
fi

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

[[ "${PKM_SETUP:-}" == skip ]] && exit 0
if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    fail "this is not a Debian system, so nothing was installed." \
         "Install what these Debian packages hold, then repeat with PKM_SETUP=skip:" \
         "${packages[*]}"
fi

missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [[ "$state" == installed ]] || missing+=("$package")
done
[[ ${#missing[@]} -eq 0 ]] && exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || fail "these packages are missing: ${missing[*]}" \
        "Installing them needs root or sudo. As root: apt-get install ${missing[*]}"
    as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
run_apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -q -o DPkg::Lock::Timeout=120 "$@" >>"$log" 2>&1 && return
    cat "$log" >&2
    fail "apt-get $1 failed; its output is above." "Wanted: ${missing[*]}"
}

echo "setup: installing ${missing[*]} (once; this can take some minutes)"
run_apt update
run_apt install -y --no-install-recommends "${missing[@]}"
echo "setup: done"
