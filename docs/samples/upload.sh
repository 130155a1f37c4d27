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
field() { printf '%s\n' "$1" | sed -n "s/.*\"$2\":\"\([^\"]*\)\".*/\1/p"; }

token=
username=$(printf %s "$ADX_USERNAME" | sed 's/[\\"]/\\&/g')
password=$(printf %s "$ADX_PASSWORD" | base64 | tr -d '\n')
call /token "{\"username\":\"$username\",\"password\":\"$password\"}"
token=$(field "$answer" idToken)

printf 'This is not a statement.' > statement.cod
call /coda-files/upload-credentials ''
credentials=$answer
region=$(field "$credentials" region)
bucket=$(field "$credentials" bucketName)
prefix=$(field "$credentials" prefix)
# Without an endpoint, the storage is AWS.
endpoint=$(field "$credentials" endpoint)
endpoint=${endpoint:-https://{bucket\}.s3.$region.amazonaws.com}
case $endpoint in
  *'{bucket}'*) base=$(printf %s "$endpoint" | sed "s/{bucket}/$bucket/") ;;
  *) base=$endpoint/$bucket ;;
esac
request --fail-with-body --upload-file statement.cod \
  "$base/$prefix/statement.cod" --aws-sigv4 "aws:amz:$region:s3" \
  --user "$(field "$credentials" accessKeyId):$(field "$credentials" secretAccessKey)" \
  --header "x-amz-security-token: $(field "$credentials" sessionToken)" \
  --header 'x-amz-content-sha256: UNSIGNED-PAYLOAD'

for pause in 1 2 3 5 10 20 20 20; do
  sleep "$pause"
  call /uploads "{\"prefix\":\"$prefix\",\"status\":[\"processed\",\"rejected\"]}"
  case $answer in
    *'"key":"statement.cod"'*) printf '%s\n' "$answer"; exit ;;
  esac
done
echo 'no outcome yet: ask again later' >&2
exit 1
