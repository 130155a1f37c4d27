import base64
import datetime
import hashlib
import hmac
import json
import os
import time
from urllib.error import HTTPError
from urllib.parse import quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

headers = {"x-api-key": os.environ["ADX_API_KEY"], "content-type": "application/json"}

class NoRedirect(HTTPRedirectHandler):
    """A redirect would send the key to another host."""

    def redirect_request(self, *arguments):
        return None

opener = build_opener(NoRedirect)

def send(request):
    try:
        return opener.open(request, timeout=60).read()
    except HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode(errors='replace')}")

def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    return json.loads(send(Request(os.environ["ADX_URL"] + path, data, headers, method="POST")))

def put(credentials, key, content):
    c, region, bucket = credentials, credentials["region"], credentials["bucketName"]
    # Without an endpoint, the storage is AWS.
    base = c.get("endpoint", f"https://{{bucket}}.s3.{region}.amazonaws.com")
    base = base.replace("{bucket}", bucket) if "{bucket}" in base else f"{base}/{bucket}"
    address = urlsplit(f"{base}/{c['prefix']}/{quote(key)}")
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{now[:8]}/{region}/s3/aws4_request"
    query = "&".join(f"X-Amz-{name}={quote(value, safe='')}" for name, value in [
        ("Algorithm", "AWS4-HMAC-SHA256"), ("Credential", f"{c['accessKeyId']}/{scope}"),
        ("Date", now), ("Expires", "300"), ("Security-Token", c["sessionToken"]),
        ("SignedHeaders", "host")])
    request = f"PUT\n{address.path}\n{query}\nhost:{address.netloc}\n\nhost\nUNSIGNED-PAYLOAD"
    hashed = hashlib.sha256(request.encode()).hexdigest()
    signature = ("AWS4" + c["secretAccessKey"]).encode()
    for part in [*scope.split("/"), f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{hashed}"]:
        signature = hmac.new(signature, part.encode(), hashlib.sha256).digest()
    send(Request(f"{address.geturl()}?{query}&X-Amz-Signature={signature.hex()}", content, method="PUT"))

password = base64.b64encode(os.environ["ADX_PASSWORD"].encode()).decode()
tokens = call("/token", {"username": os.environ["ADX_USERNAME"], "password": password})
headers["authorization"] = "Bearer " + tokens["idToken"]
credentials = call("/coda-files/upload-credentials")
put(credentials, "statement.cod", b"This is not a statement.")
uploads = []
for pause in [1, 2, 3, 5, 10, 20, 20, 20]:
    time.sleep(pause)
    wanted = {"prefix": credentials["prefix"], "status": ["processed", "rejected"]}
    uploads = call("/uploads", wanted)["records"]
    if uploads:
        break
else:
    raise SystemExit("no outcome yet: ask again later")
for upload in uploads:
    print(upload["key"], upload["status"])
    for finding in upload["findings"]:
        print(finding["severity"], finding["code"], finding["message"])
