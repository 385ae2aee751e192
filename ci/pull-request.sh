#!/usr/bin/env bash
# The comment of a pull request of GitHub or a merge request of GitLab.
#
#   pull-request.sh comment    write the results of a run as one comment, or update the one that is there
#   pull-request.sh settings   print the settings of the games: those of the last comment whose first line is the label and
#                              KEY=VALUE…, such as `threefold: sprt tc=8+0.08 elo1=5`, by an owner, a member or a
#                              collaborator; GitHub only
#
#   THREEFOLD_TOKEN      token of the service. `comment` needs `actions: read` and `pull-requests: write` in GitHub, and a token
#                        with the scope `api` in GitLab; `settings` needs `pull-requests: read`
#   THREEFOLD_ARTIFACTS  artifacts of the action, one comment for each [default: threefold]; GitHub only
#   THREEFOLD_JOB        job that wrote the reports [default: threefold]; GitLab only
#   THREEFOLD_LABEL      label that starts the games; the comment names it as long as the pull request lacks it
#   THREEFOLD_PAGE       address of a page that the comment links to; {number} in it is the number of the pull request
#   THREEFOLD_OUT        folder of the reports in GitLab [default: reports/latest]
#
# `comment` runs in a workflow that `workflow_run` starts, and the job that wrote the report ran the code of the pull request,
# perhaps of a fork. So the report is foreign: what is posted is checked character by character, and the number of the pull
# request comes from the service. Needs curl, jq and unzip.
set -euo pipefail
# A trace would print the token.
{ set +x; } 2>/dev/null

# GitHub refuses a comment of more than 65,536 characters. An archive has little else.
MOST_BYTES=60000
MOST_ARCHIVE=1000000
# Pages of a hundred comments.
MOST_PAGES=30

temporary=$(mktemp -d)
trap 'rm -rf "$temporary"' EXIT

fail() {
  echo "pull-request.sh: $1" >&2
  exit 1
}

# A request to the service: `request METHOD URL OUTPUT [ARGUMENT…]`. Curl reads the token from its standard input: its
# arguments can be listed by other programs of the machine. It reads no ~/.curlrc (--disable), which an earlier step may have
# written to have the token traced.
request() {
  local method=$1 url=$2 output=$3 status
  shift 3
  [ "$method" != GET ] || set -- --retry 3 "$@"
  status=$(
    curl --disable --config - --silent --show-error --max-time 120 --max-filesize 50000000 --request "$method" \
      --output "$output" --write-out '%{http_code}' "$@" "$url" <<EOT
header = "$header$THREEFOLD_TOKEN"
EOT
  ) || fail "$method $url: the service does not answer"
  case $status in
  2* | 302) ;;
  401 | 403 | 404) fail "$method $url: status $status; does the token have the permissions that the script names at its top?" ;;
  *) fail "$method $url: status $status" ;;
  esac
}

# The elements of all pages of a list, one JSON object a line.
pages() {
  local url=$1 page
  : >"$temporary/all"
  for ((page = 1; page <= MOST_PAGES; page++)); do
    request GET "$url?per_page=100&page=$page" "$temporary/page"
    jq -c '.[]' "$temporary/page" >>"$temporary/all"
    [ "$(jq length "$temporary/page")" -eq 100 ] || break
  done
  cat "$temporary/all"
}

# Is a file a text that threefold writes: without HTML, links, mentions, references, commands of a service, and characters that
# cannot be seen? What stands between two backticks of a line is code. A vertical bar in it would end the cell of a table.
is_plain() (
  export LC_ALL=C
  [ -s "$1" ] && [ "$(wc -c <"$1")" -le "$MOST_BYTES" ] || exit 1
  [ "$(tr -d '\n\040-\176\200-\377' <"$1" | wc -c)" -eq 0 ] && iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 || exit 1
  # U+0080 to U+009F, U+00AD, U+061C, U+180E, U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F, U+FEFF, U+E0000 to U+E0FFF.
  ! grep -qE "$(printf '%b' '\0302[\0200-\0237\0255]|\0330\0234|\0341\0240\0216|\0342\0200[\0213-\0217\0250-\0256]|\0342\0201[\0240-\0257]|\0357\0273\0277|\0363\0240')" "$1" || exit 1
  # Not through a pipe: with pipefail, a writer that is stopped early would hide what was found.
  # shellcheck disable=SC2016
  text=$(sed -E -e 's/`[^`|]+`/_/g' -e 's/^### //' -e 's/\[[-+0-9., ]*\]([^[(:]|$)/\1/g' "$1") || exit 1
  ! grep -qiE '[][`<>@#$^&~\\]|://|www\.|gh-[0-9]|![0-9]|%[a-z0-9"]|^[[:space:]]*/' <<<"$text"
)

# Writes the text of the comment to a file: `compose ID RUN FILE ORIGIN WHY`. Without a text of threefold it says why.
compose() {
  {
    echo "<!-- threefold:$1 $2 -->"
    if is_plain "$3"; then
      cat "$3"
    elif [ -e "$3" ]; then
      printf '### threefold\n\n❌ **The report is not shown here: its text has a form that threefold does not write.**\n'
    else
      printf '### threefold\n\n❌ **%s**\n' "$5"
    fi
    printf '\n%s\n' "$4"
  } >"$temporary/body"
}

# The comment to update, of all comments on standard input: `earlier AUTHOR ID RUN`, where AUTHOR is a filter of jq. Prints its
# number, `later` if it shows a later run, and nothing if there is none.
earlier() {
  jq -rs --arg mark "<!-- threefold:$2 " --arg run "$3" '
    def numbers: split(".") | map(tonumber);
    [.[] | select(('"$1"') and (.body // "" | startswith($mark)))][0] // empty
    | ((.body | ltrimstr($mark) | capture("^(?<run>[0-9]+[.][0-9]+) -->").run) // "0.0") as $there
    | if ($there | numbers) > ($run | numbers) then "later" else .id end' "$temporary/comments"
}

# An element of the event that started the workflow.
event() {
  jq -er "$1" "$GITHUB_EVENT_PATH" 2>/dev/null || fail "the event has no $1; the workflow must be started by $2"
}

github_comment() {
  local from=workflow_run kind conclusion repository run attempt sha head branch number name link origin id
  kind=$(event .workflow_run.event $from)
  if [ "$kind" != pull_request ]; then
    echo 'the run is not that of a pull request: there is no comment to write'
    return
  fi
  conclusion=$(event .workflow_run.conclusion $from)
  case $conclusion in
  skipped | cancelled)
    echo "the run was $conclusion: the comment stays as it is"
    return
    ;;
  esac
  repository=$(event .workflow_run.repository.full_name $from)
  [ "$repository" = "$GITHUB_REPOSITORY" ] || fail 'the run is that of another repository'
  run=$(event '.workflow_run.id | tostring | select(test("^[0-9]+$"))' $from)
  attempt=$(event '.workflow_run.run_attempt | tostring | select(test("^[0-9]+$"))' $from)
  sha=$(event '.workflow_run.head_sha | select(test("^[0-9a-f]{40,64}$"))' $from)
  head=$(event '.workflow_run.head_repository.full_name | select(test("^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$"))' $from)
  branch=$(event .workflow_run.head_branch $from)

  # The event names no pull request of a fork, and the artifact could name any.
  request GET "$api/pulls" "$temporary/pulls" --get --data-urlencode "head=${head%%/*}:$branch" --data-urlencode state=open \
    --data-urlencode per_page=100
  jq -c --arg sha "$sha" --arg head "$head" --arg base "$GITHUB_REPOSITORY" \
    '[.[] | select(.head.sha == $sha and .head.repo.full_name == $head and .base.repo.full_name == $base)]' \
    "$temporary/pulls" >"$temporary/pull"
  if [ "$(jq length "$temporary/pull")" -ne 1 ]; then
    echo "$(jq length "$temporary/pull") open pull requests have the commit $sha as their last one: no comment is written"
    return
  fi
  number=$(jq -r '.[0].number' "$temporary/pull")
  link="$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$run"
  for name in ${THREEFOLD_ARTIFACTS:-threefold}; do
    [[ $name =~ ^[A-Za-z0-9._-]{1,64}$ ]] || fail "\`$name\` is no name of an artifact: give letters, digits, dots, hyphens and underscores"
    github_text "$run" "$name-comment"
    origin=$(github_origin "$run" "$name")
    compose "$name" "$run.$attempt" "$temporary/text" "$origin" \
      "No result: the workflow ended ($conclusion) before threefold wrote a report."
    pages "$api/issues/$number/comments" >"$temporary/comments"
    id=$(earlier '.user.login == "github-actions[bot]"' "$name" "$run.$attempt")
    github_write "$number" "$id"
  done
}

# Creates or updates the comment.
github_write() {
  jq -n --rawfile body "$temporary/body" '{body: $body}' >"$temporary/json"
  case $2 in
  '') request POST "$api/issues/$1/comments" "$temporary/answer" --data-binary "@$temporary/json" ;;
  later) echo "pull request $1 has the comment of a later run" && return ;;
  *) request PATCH "$api/issues/comments/$2" "$temporary/answer" --data-binary "@$temporary/json" ;;
  esac
  echo "pull request $1: $(jq -r '.html_url // "the comment is written"' "$temporary/answer")"
}

# Number and size of the newest artifact of a run with this name; nothing if there is none.
github_artifact() {
  request GET "$api/actions/runs/$1/artifacts" "$temporary/artifacts" --get --data-urlencode "name=$2"
  jq -r --arg name "$2" '[.artifacts[] | select(.name == $name and .expired == false)] | max_by(.id) // empty
    | "\(.id) \(.size_in_bytes)"' "$temporary/artifacts"
}

# Writes `comment.md` of an artifact to `text`; no file if there is no artifact.
github_text() {
  local artifact size location
  rm -f "$temporary/text"
  artifact=$(github_artifact "$1" "$2")
  [ -n "$artifact" ] || return 0
  read -r artifact size <<<"$artifact"
  : >"$temporary/text"
  [ "$size" -le "$MOST_ARCHIVE" ] || return 0
  request GET "$api/actions/artifacts/$artifact/zip" "$temporary/archive" --dump-header "$temporary/headers"
  # The storage is another service, which the token is not for.
  location=$(sed -n 's/^[Ll]ocation: *\([^[:space:]]*\).*/\1/p' "$temporary/headers" | tail -n 1)
  [ -z "$location" ] || curl --silent --show-error --fail --retry 3 --max-time 120 --max-filesize "$MOST_ARCHIVE" \
    --output "$temporary/archive" "$location" || fail 'the artifact cannot be downloaded'
  # Nothing is unpacked to a path of the archive, and no more than a comment may have is read.
  unzip -p "$temporary/archive" comment.md </dev/null 2>/dev/null | head -c $((MOST_BYTES + 1)) >"$temporary/text" || true
}

# The last line of a comment: commit, run, artifact and page.
github_origin() {
  local artifact origin
  origin="Commit \`${sha:0:8}\`"
  [ "$head" = "$GITHUB_REPOSITORY" ] || origin+=" of the fork \`$head\`, whose workflow may differ from the one here"
  origin+="; [run]($link)"
  artifact=$(github_artifact "$1" "$2")
  [ -z "$artifact" ] || origin+=", [reports]($link/artifacts/${artifact%% *}) with index.html"
  [ -z "${THREEFOLD_PAGE:-}" ] || origin+=", [page](${THREEFOLD_PAGE//\{number\}/$number})"
  if [ -n "${THREEFOLD_LABEL:-}" ] &&
    ! jq -e --arg wanted "$THREEFOLD_LABEL" 'any(.[0].labels[]; .name == $wanted)' "$temporary/pull" >/dev/null; then
    origin+=". The label \`$THREEFOLD_LABEL\` starts games against the base version"
  fi
  echo "$origin."
}

github_settings() {
  local number line word words
  number=$(event '.pull_request.number | tostring | select(test("^[0-9]+$"))' pull_request)
  pages "$api/issues/$number/comments" >"$temporary/comments"
  # Blanks and backticks around the line, and capital letters of the label, are no reason to play other games. A line without
  # KEY=VALUE is a sentence about the label.
  line=$(jq -rs --arg wanted "${THREEFOLD_LABEL:?}" '
    ($wanted | ascii_downcase) as $start
    | [.[] | select(.author_association | IN("OWNER", "MEMBER", "COLLABORATOR"))
    | .body // "" | split("\n")[0] // "" | gsub("^[\\s`]+|[\\s`]+$"; "") | gsub("\\s+"; " ")
    | select(ascii_downcase | . == $start or startswith($start + " "))
    | .[($start | length):] | select(. == "" or contains("="))][-1] // empty' "$temporary/comments")
  read -ra words <<<"$line"
  for word in ${words[@]+"${words[@]}"}; do
    [[ $word =~ ^[a-z0-9]+=[A-Za-z0-9.:+/-]+$ ]] || fail "the last comment \`$THREEFOLD_LABEL\` has \`$word\`, which is no KEY=VALUE"
  done
  echo "settings of the games from comments: ${words[*]:-none, so those of the plan}" >&2
  echo "${words[*]-}"
}

gitlab_comment() {
  local notes text origin name=${THREEFOLD_JOB:-threefold} mark job id
  : "${CI_MERGE_REQUEST_IID:?the pipeline is not that of a merge request}"
  notes="$api/merge_requests/$CI_MERGE_REQUEST_IID/notes"
  text="${THREEFOLD_OUT:-reports/latest}/comment.md"
  # An artifact may have links, and the environment of this job has a token.
  if [ -e "$text" ] && [ "$(realpath "$text")" = "$(realpath .)/$text" ]; then cp "$text" "$temporary/text"; fi
  mark=${name//[^A-Za-z0-9._-]/-}
  pages "$api/pipelines/$CI_PIPELINE_ID/jobs" >"$temporary/jobs"
  job=$(jq -rs --arg name "$name" '[.[] | select(.name == $name)] | max_by(.id) // empty | .id' "$temporary/jobs")
  origin="Commit \`${CI_COMMIT_SHA:0:8}\`; [pipeline]($CI_PIPELINE_URL)"
  [ -z "$job" ] || origin+=", [page]($CI_PROJECT_URL/-/jobs/$job/artifacts/file/${text%/*}/index.html)"
  if [ -n "${THREEFOLD_LABEL:-}" ] && [[ ",${CI_MERGE_REQUEST_LABELS:-}," != *",$THREEFOLD_LABEL,"* ]]; then
    origin+=". In a pipeline that begins with the label \`$THREEFOLD_LABEL\`, games against the base version are played"
  fi
  compose "$mark" "$CI_PIPELINE_ID.0" "$temporary/text" "$origin." \
    'No result: the job ended before threefold wrote a report.'
  request GET "${CI_API_V4_URL}/user" "$temporary/user"
  pages "$notes" >"$temporary/comments"
  id=$(earlier ".author.id == $(jq .id "$temporary/user")" "$mark" "$CI_PIPELINE_ID.0")
  case $id in
  '') request POST "$notes" "$temporary/answer" --data-urlencode "body@$temporary/body" ;;
  later) echo "merge request $CI_MERGE_REQUEST_IID has the comment of a later pipeline" && return ;;
  *) request PUT "$notes/$id" "$temporary/answer" --data-urlencode "body@$temporary/body" ;;
  esac
  echo "merge request $CI_MERGE_REQUEST_IID: the comment is written"
}

: "${THREEFOLD_TOKEN:?give a token of the service}"
[ -z "${THREEFOLD_TOKEN//[A-Za-z0-9._-]/}" ] || fail 'THREEFOLD_TOKEN has characters that no token has'
if [ "${GITLAB_CI:-}" = true ]; then
  api="$CI_API_V4_URL/projects/$CI_PROJECT_ID" header='PRIVATE-TOKEN: ' service=gitlab
else
  api="$GITHUB_API_URL/repos/$GITHUB_REPOSITORY" header='Authorization: Bearer ' service=github
fi
case "$service-${1:-}" in
github-comment) github_comment ;;
github-settings) github_settings ;;
gitlab-comment) gitlab_comment ;;
*) fail 'give the word comment, or in GitHub settings' ;;
esac
