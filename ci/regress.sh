#!/usr/bin/env bash
# Runs `threefold regress` in a job of a CI service. An empty variable leaves the default of the command.
#
#   regress.sh        run it
#   regress.sh base   only print the commit of the base version, empty for none
#
#   THREEFOLD_PLAN, THREEFOLD_ENGINE, THREEFOLD_BASELINE, THREEFOLD_OUT, THREEFOLD_JOBS   --plan, --engine and so on
#   THREEFOLD_BASE         commit or branch that the tested commit is to be merged into, fetched if the clone lacks it; the
#                          base version is the common ancestor of both [default in GitLab: that of the merge request]
#   THREEFOLD_BASE_ENGINE  engine that is the base version
#   THREEFOLD_ARGS         more arguments, separated by spaces
#   THREEFOLD_PROGRAM      the program [default: threefold]
set -euo pipefail

# The commit of the base version; empty for none.
base_commit() {
  local base=${THREEFOLD_BASE:-} ancestor
  [ -n "$base${THREEFOLD_BASE_ENGINE:-}" ] || base=${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}
  # The event of a new branch has a hash of zeros.
  [ -n "${base//0/}" ] || return 0
  git cat-file -e "$base^{commit}" 2>/dev/null || git fetch --quiet --depth=1 origin "$base"
  # The target branch may have changes that the tested commit lacks. They are not what is tested.
  if ancestor=$(git merge-base "$base" HEAD 2>/dev/null); then
    echo "$ancestor"
  else
    echo "this clone lacks the common ancestor with $base, which is the base version itself; clone with the whole history" >&2
    git rev-parse --verify --quiet "$base^{commit}"
  fi
}

if [ "${1:-}" = base ]; then
  base_commit
  exit
fi

arguments=(regress)
add() {
  [ -z "$2" ] || arguments+=("$1" "$2")
}
add --plan "${THREEFOLD_PLAN:-}"
add --engine "${THREEFOLD_ENGINE:-}"
add --baseline "${THREEFOLD_BASELINE:-}"
add --out "${THREEFOLD_OUT:-}"
add --jobs "${THREEFOLD_JOBS:-}"
base=$(base_commit)
add --base-commit "$base"
add --base-engine "${THREEFOLD_BASE_ENGINE:-}"
[ "${GITHUB_ACTIONS:-}" != true ] || arguments+=(--github)
read -r -a more <<<"${THREEFOLD_ARGS:-}"
exec "${THREEFOLD_PROGRAM:-threefold}" "${arguments[@]}" ${more[@]+"${more[@]}"}
