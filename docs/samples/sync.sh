#!/bin/sh
set -eu

# A redirect is an error: it would send the key to another host.
request() { curl --silent --show-error --location --max-redirs 0 --max-time 60 "$@"; }

# call <path> <body>: sets `answer`, or prints the error and exits
call() {
  answer=$(request --fail-with-body "$ADX_URL$1" \
    --header "x-api-key: $ADX_API_KEY" --header "authorization: Bearer $token" \
    --header 'content-type: application/json' --data "$2") ||
    { printf '%s\n' "$answer" >&2; exit 1; }
}
field() { printf '%s\n' "$1" | sed "s/.*\"$2\":\"\([^\"]*\)\".*/\1/"; }

token=
username=$(printf %s "$ADX_USERNAME" | sed 's/[\\"]/\\&/g')
password=$(printf %s "$ADX_PASSWORD" | base64 | tr -d '\n')
call /token "{\"username\":\"$username\",\"password\":\"$password\"}"
token=$(field "$answer" idToken)

mkdir -p statements
call /coda-files '{}'
case $answer in
  '[]' | '[{"'*'}]') ;;
  *) echo 'no list of files' >&2; exit 1 ;;
esac
printf '%s\n' "$answer" | grep -o '{[^{}]*"urls":{[^{}]*}[^{}]*}' | while read -r file; do
  name=$(field "$file" fileName)
  printf '%s\n' "$name" | grep -Eqx '[A-Za-z0-9][A-Za-z0-9_-]{4,}[.][a-z]+' ||
    { echo 'wrong file name' >&2; exit 1; }
  path=statements/$name
  request --fail --retry 3 --url "$(field "$file" coda)" --output "$path.part"
  sync "$path.part"
  mv "$path.part" "$path"
  sync statements
  call /coda-files/acknowledgements "{\"fileIds\":[\"$(field "$file" id)\"]}"
  echo "$path"
done
echo 'No more new files'
