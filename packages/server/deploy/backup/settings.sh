# Describes the database of the service to the programs of PostgreSQL, and its storage to rclone as the remote
# `adx`, from the settings of the service (D-62). No secret becomes an argument of a command.

# Prints the value of a secret setting, which can also be the first line of a file.
secret() {
  eval "value=\${$1:-} file=\${$1_FILE:-}"
  if [ -n "$file" ]; then
    # The line may end with the file, or with CR LF.
    value=$(head -n 1 "$file" | tr -d '\r')
  fi
  printf %s "$value"
}

# Prints the variables of PostgreSQL for the URL in DATABASE_URL.
variables='
  const url = new URL(process.env.DATABASE_URL);
  const { host, port, ...others } = Object.fromEntries(url.searchParams);
  const values = {
    HOST: host ?? url.hostname.replace(/^\[|\]$/g, ""),
    PORT: port ?? url.port,
    USER: url.username,
    PASSWORD: url.password,
    DATABASE: url.pathname.slice(1),
    SSLMODE: others.sslmode,
    SSLROOTCERT: others.sslrootcert,
    SSLCERT: others.sslcert,
    SSLKEY: others.sslkey,
  };
  for (const [name, value] of Object.entries(values)) {
    if (!value) continue;
    const text = /^(USER|PASSWORD|DATABASE|HOST)$/.test(name) ? decodeURIComponent(value) : value;
    console.log(`export PG${name}=\x27${text.replaceAll("\x27", "\x27\\\x27\x27")}\x27`);
  }
'
database=$(secret DATABASE_URL)
database=$(DATABASE_URL="${database:?DATABASE_URL is missing}" node -e "$variables")
eval "$database"

: "${S3_BUCKET_FILES:?is missing}"
export RCLONE_CONFIG_ADX_TYPE=s3
export RCLONE_CONFIG_ADX_REGION="${S3_REGION:-us-east-1}"
export RCLONE_CONFIG_ADX_NO_CHECK_BUCKET=true
export RCLONE_CONFIG_ADX_LIST_VERSION=2
export RCLONE_FAST_LIST=true
if [ -n "${S3_ENDPOINT:-}" ]; then
  export RCLONE_CONFIG_ADX_PROVIDER=Other
  export RCLONE_CONFIG_ADX_ENDPOINT="$S3_ENDPOINT"
  export RCLONE_CONFIG_ADX_FORCE_PATH_STYLE="${S3_PATH_STYLE:-true}"
else
  export RCLONE_CONFIG_ADX_PROVIDER=AWS
fi
RCLONE_CONFIG_ADX_ACCESS_KEY_ID=$(secret S3_ACCESS_KEY_ID)
RCLONE_CONFIG_ADX_SECRET_ACCESS_KEY=$(secret S3_SECRET_ACCESS_KEY)
export RCLONE_CONFIG_ADX_ACCESS_KEY_ID RCLONE_CONFIG_ADX_SECRET_ACCESS_KEY
if [ -z "$RCLONE_CONFIG_ADX_ACCESS_KEY_ID" ]; then
  export RCLONE_CONFIG_ADX_ENV_AUTH=true
fi
# A private certificate authority. rclone 1.60 fails with the variable of AWS.
if [ -n "${AWS_CA_BUNDLE:-}" ]; then
  export RCLONE_CA_CERT="${RCLONE_CA_CERT:-$AWS_CA_BUNDLE}"
  unset AWS_CA_BUNDLE
fi
# The remote is described by variables, so the configuration of the user is not needed.
export RCLONE_CONFIG=/dev/null
