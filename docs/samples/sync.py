import base64
import http.client
import json
import os
import pathlib
import re
import sys
import time
import urllib.error
import urllib.request

url = os.environ["ADX_URL"]
headers = {"x-api-key": os.environ["ADX_API_KEY"], "content-type": "application/json"}


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the key to another host."""

    def redirect_request(self, *arguments):
        return None


opener = urllib.request.build_opener(NoRedirect)


def send(request):
    # The rest of the address of a file would let anyone download it.
    address = request.full_url.split("?")[0]
    for attempt in range(1, 7):
        wait = 2**attempt
        try:
            with opener.open(request, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            if attempt == 6 or error.code not in (429, 502, 503, 504):
                sys.exit(f"{address}: {error.code} {error.read().decode(errors='replace')}")
            after = error.headers["Retry-After"] or ""
            wait = int(after) if after.isdecimal() else wait
        except (OSError, http.client.HTTPException) as error:
            if attempt == 6:
                sys.exit(f"{address}: {error}")
        time.sleep(wait)


def call(path, body):
    data = json.dumps(body).encode()
    return json.loads(send(urllib.request.Request(url + path, data, headers, method="POST")))


def save(url, path):
    part = path.with_name(path.name + ".part")
    with part.open("wb") as file:
        file.write(send(urllib.request.Request(url)))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


password = base64.b64encode(os.environ["ADX_PASSWORD"].encode()).decode()
tokens = call("/token", {"username": os.environ["ADX_USERNAME"], "password": password})
headers["authorization"] = "Bearer " + tokens["idToken"]

folder = pathlib.Path("statements")
folder.mkdir(exist_ok=True)
customers = call("/coda-files", {})
files = [file for each in customers for account in each["ibans"] for file in account["files"]]
print(f"{len(files)} new files")
for start in range(0, len(files), 100):
    some = files[start : start + 100]
    for file in some:
        name = file["fileName"]
        if not re.fullmatch("[A-Za-z0-9][A-Za-z0-9_-]{4,}[.][a-z]+", name):
            sys.exit(f"wrong file name: {name!r}")
        save(file["urls"]["coda"], folder / name)
        print(name)
    call("/coda-files/acknowledgements", {"fileIds": [file["id"] for file in some]})
