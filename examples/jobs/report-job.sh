#!/bin/sh
# Runs a job and reports it to a heartbeat of Keepwatch:
#   KEEPWATCH_PING_URL=https://keepwatch.example.com/ping/TOKEN report-job.sh COMMAND [ARGUMENT...]
# It reports the start, then the exit code with the last 10 KiB of the output. It needs curl, and exits with the code of
# the job. The job runs in any case, and a failed report is written to standard error. With Node.js, `keepwatch
# heartbeat` does the same and retries for longer.
set -u
[ -n "${KEEPWATCH_PING_URL:-}" ] || {
  echo 'report-job: KEEPWATCH_PING_URL is not set, so nothing is reported' >&2
  exec "$@"
}
folder=$(mktemp -d) || exec "$@"
trap 'rm -rf "$folder"' EXIT
# This id connects the start of a run with its end, even if runs overlap.
rid=$(uname -n)-$(date +%s)-$$

# The URL contains the token. curl reads it from standard input, so that the list of processes does not show it.
report() {
  printf 'url = "%s/%s?rid=%s"\n' "$KEEPWATCH_PING_URL" "$1" "$rid" |
    curl --config - --fail --silent --show-error --max-time 10 --retry 5 --retry-connrefused \
      --header "Idempotency-Key: $rid-$1" --data-binary "@$2" --output /dev/null ||
    echo "report-job: the report '$1' has failed" >&2
}

: >"$folder/empty"
mkfifo "$folder/output"
# tee ignores signals, so that the end of the job is reported even after a signal.
(trap '' HUP INT TERM; exec tee "$folder/all" <"$folder/output") &
copy=$!
report start "$folder/empty" &
started=$!
"$@" >"$folder/output" 2>&1 &
job=$!
trap 'kill -TERM "$job" 2>/dev/null' HUP INT TERM
code=0
wait "$job" || code=$?
# A signal interrupts `wait`, so the script waits again until the job has ended.
while kill -0 "$job" 2>/dev/null; do
  code=0
  wait "$job" || code=$?
done
trap '' HUP INT TERM
wait "$copy"
wait "$started"
tail -c 10240 "$folder/all" >"$folder/end"
report "$code" "$folder/end"
exit "$code"
