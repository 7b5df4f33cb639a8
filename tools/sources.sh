#!/usr/bin/env bash
# The sources of libfyaml and SUNDIALS, from Debian's source packages, into build/sources; once.
# The system's lists are not touched: a private list with a deb-src line is made from the one that
# this machine already uses. Needs the network the first time only, and no root.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=$PWD/build/sources
packages=(libfyaml sundials)
[[ -f $dir/.done ]] && exit 0
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial"

# One URI of Debian's archive itself, with its key, in whichever format the machine has it.
uri=$(cat /etc/apt/sources.list.d/*.sources 2>/dev/null | awk '/^URIs:/ {u = $2} /^Suites:/ && $0 !~ /security/ && u {print u; exit}' || true)
[[ -n $uri ]] || uri=$(grep -hE '^deb .* bookworm +.*main' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
                       sed -E 's/^deb (\[[^]]*\] )?([^ ]+).*/\2/' | head -n 1 || true)
[[ -n $uri ]] || { echo "sources: no Debian archive among the package lists of this machine" >&2; exit 1; }
cat >"$dir/apt/source.sources" <<LIST
Types: deb-src
URIs: $uri
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
LIST
options=(-q -o Dir::Etc::sourcelist="$dir/apt/source.sources" -o Dir::Etc::sourceparts=- -o Dir::State::lists="$dir/apt/lists"
         -o Dir::Cache="$dir/apt/cache" -o APT::Get::List-Cleanup=0 -o Debug::NoLocking=1)
log=$dir/apt/log
{ apt-get "${options[@]}" update && (cd "$dir" && apt-get "${options[@]}" source --download-only "${packages[@]}"); } >"$log" 2>&1 ||
    { tail -5 "$log" >&2; echo "sources: Debian's source packages could not be fetched" >&2; exit 1; }
for package in "${packages[@]}"; do
    rm -rf "${dir:?}/$package"
    mkdir "$dir/$package"
    tar -xf "$dir/$package"_*.orig.tar.* -C "$dir/$package" --strip-components=1
done
touch "$dir/.done"
