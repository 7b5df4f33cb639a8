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
need lib/pkgconfig/pkm-core.pc
need lib/cmake/pkm/pkm-config.cmake
need share/doc/pkm/LICENSE
need share/doc/pkm/README.md
need share/man/man1/pkm.1
need share/bash-completion/completions/pkm
need share/zsh/site-functions/_pkm
need share/fish/vendor_completions.d/pkm.fish
root=$(cd "$(dirname "$0")/../.." && pwd)
for file in "$root"/robots/*.yaml "$root"/schema/*.json; do
    [[ ! -e "$file" ]] || need "share/pkm/${file#"$root"/}"
done
"$work/prefix/bin/pkm" --version

cat >"$work/consumer.c" <<'C'
#include <pkm/pkm.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    pkm_error err = {0};
    pkm_robot* robot = NULL;
    pkm_table* table = pkm_table_create();
    double peak = 0.0;
    pkm_status status = pkm_robot_load(argc > 1 ? argv[1] : "", NULL, 0, &robot, &err);
    if (status == PKM_OK) status = pkm_inverse_run(robot, 0, NULL, table, NULL, &err);
    if (status == PKM_OK) status = pkm_table_evaluate(table, "absmax qA.force", &peak, &err);
    if (status == PKM_OK) printf("pkm %s: %.1f N m\n", pkm_version(), peak);
    if (status != PKM_OK) fprintf(stderr, "%s\n", err.text);
    pkm_table_free(table);
    pkm_robot_free(robot);
    return pkm_status_exit_code(status);
}
C
robot="$work/prefix/share/pkm/robots/siax.yaml"
version=$(sed -nE 's/^Version: //p' "$work/prefix/lib/pkgconfig/pkm.pc")
expected="pkm $version: 425.5 N m"

export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
export LD_LIBRARY_PATH="$work/prefix/lib" # where the libraries are shared
read -ra flags <<<"$(pkg-config --cflags --libs pkm-core)"
cc -std=c17 "$work/consumer.c" "${flags[@]}" -o "$work/with_core"
[[ "$("$work/with_core" "$robot")" == "$expected" ]]
read -ra flags <<<"$(pkg-config --cflags --libs pkm)"
cc -std=c17 "$work/consumer.c" "${flags[@]}" -o "$work/by_pkg_config"
[[ "$("$work/by_pkg_config" "$robot")" == "$expected" ]]

cat >"$work/consumer.cpp" <<'CPP'
#include <pkm/pkm.h>
#include <cstdio>

int main(int argc, char** argv)
{
    pkm_robot* robot = nullptr;
    const bool loaded = pkm_robot_load(argc > 1 ? argv[1] : "", nullptr, 0, &robot, nullptr) == PKM_OK;
    std::printf("%d drives\n", pkm_robot_n_drive(robot));
    pkm_robot_free(robot);
    return loaded ? 0 : 1;
}
CPP
c++ -std=c++17 -Wall -Wextra -Werror "$work/consumer.cpp" "${flags[@]}" -o "$work/in_cpp"
[[ "$("$work/in_cpp" "$robot")" == "3 drives" ]]
unset PKG_CONFIG_PATH LD_LIBRARY_PATH

cat >"$work/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES C)
find_package(pkm 0.2 REQUIRED)
add_executable(consumer consumer.c)
target_link_libraries(consumer PRIVATE pkm::pkm)
add_executable(consumer_core consumer.c)
target_link_libraries(consumer_core PRIVATE pkm::pkm-core)
CMAKE
cmake -S "$work" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/configure.log" ||
    { cat "$work/configure.log"; exit 1; }
cmake --build "$work/build" >"$work/build.log" || { cat "$work/build.log"; exit 1; }
[[ "$("$work/build/consumer" "$robot")" == "$expected" ]]
[[ "$("$work/build/consumer_core" "$robot")" == "$expected" ]]
echo "installed, moved, linked with pkg-config (C and C++) and with CMake"
