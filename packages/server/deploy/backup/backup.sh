#!/bin/sh
# Backs up the database and the bucket of the files into a folder:
#   backup.sh <folder>
# The database and the bucket are those of the settings of the service. See docs/guides/backup.md.
set -eu
folder=${1:?The folder of the backups is missing}
here=$(cd "$(dirname "$0")" && pwd)
. "$here/settings.sh"

umask 077
mkdir -p "$folder/files"
name=$(date -u +%Y-%m-%dT%H%M%SZ)
trap 'rm -f "$folder/$name.part"' EXIT
# What was removed or replaced in the bucket since the last backup is kept for the dumps of before.
rclone sync --use-server-modtime --backup-dir "$folder/removed/$name" \
  "adx:$S3_BUCKET_FILES" "$folder/files"
pg_dump --format=custom --file="$folder/$name.part"
# Objects are stored before the database refers to them, so now all are there to which the dump refers.
rclone copy --use-server-modtime "adx:$S3_BUCKET_FILES" "$folder/files"
mv "$folder/$name.part" "$folder/$name.dump"
echo "$folder/$name.dump"
