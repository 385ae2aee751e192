#!/usr/bin/env bash
# Runs `threefold regress` in a job of a CI service. An empty variable leaves the default of the command.
#
#   regress.sh        run it
#   regress.sh base   only print the commit of the base version, empty for none
#
#   THREEFOLD_PLAN, THREEFOLD_ENGINE, THREEFOLD_BASELINE, THREEFOLD_OUT, THREEFOLD_JOBS   --plan, --engine and so on
#   THREEFOLD_BASE         commit or branch that the tested commit is to be merged into, such as main or origin/main; fetched
#                          if the clone lacks it; the base version is the common ancestor of both [default in GitLab: that of
#                          the merge request]
#   THREEFOLD_BASE_ENGINE  engine that is the base version
#   THREEFOLD_LABEL        label that starts the games against the base version; empty for games in each run
#   THREEFOLD_LABELS       labels of the pull request, with commas between them [default in GitLab: those of the merge request]
#   THREEFOLD_SETTINGS     values of `[base]` in place of the plan's: KEY=VALUE…, with blanks between them
#   THREEFOLD_ARGS         more arguments, separated by blanks or line ends; quotes, backslashes and comments are those of a
#                          shell, and nothing is expanded or executed
#   THREEFOLD_SHARDS       folder of the journals (run.sqlite) of all shards, which other jobs ran with --shard; they are merged
#                          instead of a run, and of the variables above only THREEFOLD_OUT, THREEFOLD_JOBS and THREEFOLD_ARGS
#                          count
#   THREEFOLD_PROGRAM      the program [default: threefold]
set -euo pipefail

# The hash of a commit or branch that the clone has. A clone of a CI service has branches of the server only.
known() {
  local name
  for name in "$1" "refs/remotes/origin/$1"; do
    git rev-parse --verify --quiet --end-of-options "$name^{commit}" && return
  done
  return 1
}

# Do the labels ask for the games against the base version?
has_games() {
  [ -z "${THREEFOLD_LABEL:-}" ] || [[ ",${THREEFOLD_LABELS:-${CI_MERGE_REQUEST_LABELS:-}}," == *",$THREEFOLD_LABEL,"* ]]
}

# The commit of the base version; empty for none.
base_commit() {
  local base=${THREEFOLD_BASE:-} head commit ancestor depth=50
  has_games || return 0
  [ -n "$base${THREEFOLD_BASE_ENGINE:-}" ] || base=${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}
  # The event of a new branch has a hash of zeros.
  [ -n "${base//0/}" ] || return 0
  head=$(git rev-parse HEAD)
  if ! commit=$(known "$base"); then
    base=${base#refs/heads/}
    git fetch --quiet --no-tags --depth=1 origin "${base#origin/}" || {
      echo "the base version \`$base\` is no commit of this clone and no branch or commit of its remote origin" >&2
      return 1
    }
    commit=$(git rev-parse FETCH_HEAD)
  fi
  # The target branch may have changes that the tested commit lacks. They are not what is tested. A shallow clone gets more
  # of the history until it has the common ancestor.
  until ancestor=$(git merge-base "$commit" "$head"); do
    if [ "$(git rev-parse --is-shallow-repository)" != true ] ||
      ! git fetch --quiet --no-tags --deepen="$depth" origin "$commit" "$head"; then
      echo "this clone lacks the common ancestor with $base, which is the base version itself; clone with the whole history" >&2
      ancestor=$commit
      break
    fi
    depth=$((depth * 4))
  done
  echo "$ancestor"
}

# Splits a text into `words` as a shell does, but expands and executes nothing.
split() {
  local text=$1 word='' quote='' is_word='' is_comment='' character at
  words=()
  for ((at = 0; at < ${#text}; at++)); do
    character=${text:at:1}
    if [ -n "$is_comment" ]; then
      [ "$character" != $'\n' ] || is_comment=''
    elif [ "$quote" = "'" ]; then
      if [ "$character" = "'" ]; then quote=''; else word+=$character; fi
    elif [ "$character" = \\ ]; then
      at=$((at + 1))
      character=${text:at:1}
      # Between double quotes, a backslash before other characters is one.
      if [ -n "$quote" ] && [[ "$character" != [\\\"\$\`$'\n'] ]]; then word+=\\; fi
      if [ "$character" != $'\n' ]; then word+=$character is_word=1; fi
    elif [ "$character" = '"' ]; then
      if [ -n "$quote" ]; then quote=''; else quote='"' is_word=1; fi
    elif [ -n "$quote" ]; then
      word+=$character
    elif [ "$character" = "'" ]; then
      quote="'" is_word=1
    elif [[ "$character" == [[:space:]] ]]; then
      [ -z "$is_word" ] || words+=("$word")
      word='' is_word=''
    elif [ "$character" = '#' ] && [ -z "$is_word" ]; then
      is_comment=1
    else
      word+=$character is_word=1
    fi
  done
  if [ -n "$quote" ]; then
    echo "THREEFOLD_ARGS (input \`args\`): a $quote is not closed" >&2
    return 2
  fi
  [ -z "$is_word" ] || words+=("$word")
}

if [ "${1:-}" = base ]; then
  base_commit
  exit
fi

add() {
  [ -z "$2" ] || arguments+=("$1" "$2")
}
split "${THREEFOLD_ARGS:-}"
if [ -n "${THREEFOLD_SHARDS:-}" ]; then
  # The journals name the engine, which lost cases need again. Other jobs of this workflow wrote them.
  arguments=(merge --trust)
  add --out "${THREEFOLD_OUT:-}"
  add --jobs "${THREEFOLD_JOBS:-}"
  [ "${GITHUB_ACTIONS:-}" != true ] || arguments+=(--github)
  while IFS= read -r -d '' file; do
    words+=("$file")
  done < <(find "$THREEFOLD_SHARDS" -name run.sqlite -print0 | sort -z)
  exec "${THREEFOLD_PROGRAM:-threefold}" "${arguments[@]}" ${words[@]+"${words[@]}"}
fi
arguments=(regress)
# Without a plan in its folder the command tests Echo, which says nothing about this repository.
plan=${THREEFOLD_PLAN:-}
[[ -n "$plan${THREEFOLD_ENGINE:-}" || " ${words[*]-}" == *" --"@(plan|engine|help)[=\ ]* ]] || plan=threefold.toml
add --plan "$plan"
add --engine "${THREEFOLD_ENGINE:-}"
add --baseline "${THREEFOLD_BASELINE:-}"
add --out "${THREEFOLD_OUT:-}"
add --jobs "${THREEFOLD_JOBS:-}"
base=$(base_commit)
add --base-commit "$base"
if has_games; then
  add --base-engine "${THREEFOLD_BASE_ENGINE:-}"
  read -ra settings <<<"${THREEFOLD_SETTINGS:-}"
  for setting in ${settings[@]+"${settings[@]}"}; do
    add --base-setting "$setting"
  done
elif [ -n "${THREEFOLD_BASE:-}${THREEFOLD_BASE_ENGINE:-}${CI_MERGE_REQUEST_DIFF_BASE_SHA:-}" ]; then
  echo "no games against the base version: the pull request lacks the label \`$THREEFOLD_LABEL\`" >&2
fi
[ "${GITHUB_ACTIONS:-}" != true ] || arguments+=(--github)
exec "${THREEFOLD_PROGRAM:-threefold}" "${arguments[@]}" ${words[@]+"${words[@]}"}
