#!/bin/sh
# Backs up the given folders with restic, removes old snapshots and reads a part of the data back. The first step that
# fails ends the backup, with the exit code of that step.
#   RESTIC_REPOSITORY=... RESTIC_PASSWORD_FILE=... backup-restic.sh FOLDER...
set -eu
: "${RESTIC_REPOSITORY:?is the repository}"
[ $# -gt 0 ] || { echo 'Name the folders to back up.' >&2; exit 64; }
restic backup --tag nightly "$@"
restic forget --tag nightly --keep-daily 7 --keep-weekly 5 --keep-monthly 12 --prune
restic check --read-data-subset=1%
