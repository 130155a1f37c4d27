# Describes the storage (D-62) of the service to rclone as the remote `adx`, from the settings of the service.

# Prints the value of a secret setting, which can also be in a file.
secret() {
  eval "value=\${$1:-} file=\${$1_FILE:-}"
  if [ -n "$file" ]; then
    IFS= read -r value < "$file"
  fi
  printf %s "$value"
}

: "${S3_BUCKET_FILES:?is missing}"
export RCLONE_CONFIG_ADX_TYPE=s3
export RCLONE_CONFIG_ADX_REGION="${S3_REGION:-us-east-1}"
export RCLONE_CONFIG_ADX_NO_CHECK_BUCKET=true
export RCLONE_CONFIG_ADX_LIST_VERSION=2
export RCLONE_FAST_LIST=true
if [ -n "${S3_ENDPOINT:-}" ]; then
  export RCLONE_CONFIG_ADX_PROVIDER=Other
  export RCLONE_CONFIG_ADX_ENDPOINT="$S3_ENDPOINT"
else
  export RCLONE_CONFIG_ADX_PROVIDER=AWS
fi
RCLONE_CONFIG_ADX_ACCESS_KEY_ID=$(secret S3_ACCESS_KEY_ID)
RCLONE_CONFIG_ADX_SECRET_ACCESS_KEY=$(secret S3_SECRET_ACCESS_KEY)
export RCLONE_CONFIG_ADX_ACCESS_KEY_ID RCLONE_CONFIG_ADX_SECRET_ACCESS_KEY
if [ -z "$RCLONE_CONFIG_ADX_ACCESS_KEY_ID" ]; then
  export RCLONE_CONFIG_ADX_ENV_AUTH=true
fi
# The remote is described by variables, so the configuration of the user is not needed.
export RCLONE_CONFIG=/dev/null
