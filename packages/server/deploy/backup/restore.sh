#!/bin/sh
# Restores a backup into an empty database and an empty bucket, and checks that nothing is missing:
#   restore.sh <folder> [<dump>]
# Without a dump it takes the last one of the folder. The database and the bucket are those of the settings of
# the service.
# It starts no process that would do jobs or send mails. See docs/guides/backup.md.
set -eu
folder=${1:?The folder of the backups is missing}
dump=${2:-$(ls "$folder"/*.dump | tail -n 1)}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.sh"
server=${ADX_SERVER:-$here/../../bin/adx-server.mjs}
[ -f "$dump" ] || { echo "There is no backup $dump." >&2; exit 1; }

tables=$(psql --no-psqlrc --tuples-only --no-align \
  --command="select count(*) from pg_tables where schemaname = 'public'")
[ "$tables" = 0 ] || {
  echo "The database $PGDATABASE at ${PGHOST:-this machine} is not empty." >&2
  exit 1
}
# Not through a pipe, which would hide that the bucket cannot be listed.
objects=$(rclone size --json "adx:$S3_BUCKET_FILES") || {
  echo "The bucket $S3_BUCKET_FILES at ${S3_ENDPOINT:-AWS} cannot be listed." >&2
  exit 1
}
case $objects in
  *'"count":0,'*) ;;
  *) echo "The bucket $S3_BUCKET_FILES at ${S3_ENDPOINT:-AWS} is not empty." >&2; exit 1 ;;
esac

pg_restore --no-owner --no-privileges --single-transaction --exit-on-error \
  --dbname="$PGDATABASE" "$dump"
rclone copy "$folder/files" "adx:$S3_BUCKET_FILES"
# What was removed from the bucket after this dump was made.
name=$(basename "$dump" .dump)
for removed in "$folder"/removed/*; do
  later=$(printf '%s\n' "$name" "$(basename "$removed")" | sort | tail -n 1)
  if [ -d "$removed" ] && [ "$later" != "$name" ]; then
    rclone copy --ignore-existing "$removed" "adx:$S3_BUCKET_FILES"
  fi
done
node "$server" migrate
node "$server" file check
