#!/bin/sh
# Dumps a PostgreSQL database into a folder and checks that the dump can be read. A dump that fails leaves no file.
# Dumps older than two weeks are deleted only after a new one has succeeded.
#   PGDATABASE=shop BACKUP_FOLDER=/var/backups/shop backup-postgres.sh
set -eu
: "${PGDATABASE:?is the database}" "${BACKUP_FOLDER:?is where the dumps go}"
file=$BACKUP_FOLDER/$PGDATABASE-$(date -u +%Y%m%dT%H%M%SZ).dump
trap 'rm -f "$file.part"' EXIT
pg_dump --format=custom --file="$file.part"
pg_restore --list "$file.part" >/dev/null
mv "$file.part" "$file"
find "$BACKUP_FOLDER" -name "$PGDATABASE-*.dump" -mtime +14 -delete
