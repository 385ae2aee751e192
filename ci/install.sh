#!/usr/bin/env bash
# Installs a release of threefold, checked against its SHA-256: for CI services.
#
#   THREEFOLD_VERSION  version, such as 0.2.0 (required)
#   THREEFOLD_DIR      folder for the program [default: ~/.threefold/bin]
#   THREEFOLD_URL      folder of the release's files [default: the release on GitHub]
set -euo pipefail

version=${THREEFOLD_VERSION:?give the version, such as 0.2.0}
folder=${THREEFOLD_DIR:-$HOME/.threefold/bin}
url=${THREEFOLD_URL:-https://github.com/threefold-chess/threefold/releases/download/v$version}

case "$(uname -s)-$(uname -m)" in
Linux-x86_64) name=threefold-x86_64-unknown-linux-musl.tar.xz ;;
Linux-aarch64) name=threefold-aarch64-unknown-linux-musl.tar.xz ;;
Darwin-x86_64) name=threefold-x86_64-apple-darwin.tar.xz ;;
Darwin-arm64) name=threefold-aarch64-apple-darwin.tar.xz ;;
MINGW*-x86_64 | MSYS*-x86_64) name=threefold-x86_64-pc-windows-msvc.zip ;;
*)
  echo "threefold has no release for $(uname -s) on $(uname -m); build it with cargo install" >&2
  exit 2
  ;;
esac

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT
for file in "$name" "$name.sha256"; do
  curl --silent --show-error --fail --location --retry 3 --output "$temporary/$file" "$url/$file"
done
(
  cd "$temporary"
  if command -v sha256sum >/dev/null; then sha256sum --check --quiet "$name.sha256"; else shasum -a 256 --check --quiet "$name.sha256"; fi
  case "$name" in
  *.zip) unzip -q "$name" -d unpacked ;;
  *) mkdir unpacked && tar -xf "$name" -C unpacked ;;
  esac
)
mkdir -p "$folder"
find "$temporary/unpacked" -type f \( -name threefold -o -name threefold.exe \) -exec cp {} "$folder/" \;
"$folder/threefold" --version
