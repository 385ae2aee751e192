#!/usr/bin/env bash
# Runs `threefold regress` in a job of a CI service. An empty variable leaves the default of the command.
#
#   THREEFOLD_PLAN, THREEFOLD_ENGINE, THREEFOLD_BASELINE, THREEFOLD_OUT, THREEFOLD_JOBS   --plan, --engine and so on
#   THREEFOLD_BASE         commit of the base version; fetched if the clone lacks it
#   THREEFOLD_BASE_ENGINE  engine that is the base version
#   THREEFOLD_ARGS         more arguments, separated by spaces
#   THREEFOLD_PROGRAM      the program [default: threefold]
set -euo pipefail

arguments=(regress)
add() {
  [ -z "$2" ] || arguments+=("$1" "$2")
}
add --plan "${THREEFOLD_PLAN:-}"
add --engine "${THREEFOLD_ENGINE:-}"
add --baseline "${THREEFOLD_BASELINE:-}"
add --out "${THREEFOLD_OUT:-}"
add --jobs "${THREEFOLD_JOBS:-}"

base=${THREEFOLD_BASE:-}
# The event of a new branch has a hash of zeros.
if [ -n "$base" ] && [ -n "${base//0/}" ]; then
  git cat-file -e "$base^{commit}" 2>/dev/null || git fetch --quiet --depth=1 origin "$base"
  add --base-commit "$base"
fi
add --base-engine "${THREEFOLD_BASE_ENGINE:-}"
[ "${GITHUB_ACTIONS:-}" != true ] || arguments+=(--github)
read -r -a more <<<"${THREEFOLD_ARGS:-}"
exec "${THREEFOLD_PROGRAM:-threefold}" "${arguments[@]}" ${more[@]+"${more[@]}"}
