#!/usr/bin/env bash
# Install into a temporary prefix, move it, and build one consumer with pkg-config and one with CMake.
set -euo pipefail
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >"$work/install.log"
mv "$work/first" "$work/prefix" # an installed tree may be moved

need() {
    [[ -e "$work/prefix/$1" ]] || { echo "not installed: $1"; exit 1; }
}
need include/pkm/status.h
need lib/pkgconfig/pkm.pc
need lib/cmake/pkm/pkm-config.cmake
need share/doc/pkm/LICENSE
need share/doc/pkm/README.md
root=$(cd "$(dirname "$0")/../.." && pwd)
for file in "$root"/robots/*.yaml "$root"/schema/*.json; do
    [[ ! -e "$file" ]] || need "share/pkm/${file#"$root"/}"
done
if [[ -x "$build/pkm" ]]; then
    "$work/prefix/bin/pkm" --version
fi

cat >"$work/consumer.c" <<'C'
#include <pkm/status.h>
#include <stdio.h>

int main(void)
{
    puts(pkm_status_text(PKM_ERR_UNREACHABLE));
    return pkm_status_exit_code(PKM_OK);
}
C
expected="a pose is out of reach"

export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
read -ra flags <<<"$(pkg-config --cflags --libs pkm)"
cc -std=c17 "$work/consumer.c" "${flags[@]}" -o "$work/by_pkg_config"
[[ "$("$work/by_pkg_config")" == "$expected" ]]
unset PKG_CONFIG_PATH

cat >"$work/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C)
find_package(pkm 0.1 REQUIRED)
add_executable(consumer consumer.c)
target_link_libraries(consumer PRIVATE pkm::pkm)
CMAKE
cmake -S "$work" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/configure.log" ||
    { cat "$work/configure.log"; exit 1; }
cmake --build "$work/build" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
[[ "$("$work/build/consumer")" == "$expected" ]]
echo "installed, moved, linked with pkg-config and with CMake"
