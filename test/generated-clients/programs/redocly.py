import json
import os
from typing import Any

import httpx

from client import ApiError, Client, CreateCustomerRequest, ListCodaFilesRequest, SignInRequest, decode

url = os.environ["ADX_URL"]
keys = {"apiKey": os.environ["ADX_API_KEY"]}
customer = decode(CreateCustomerRequest, json.loads(os.environ["ADX_CUSTOMER"]))
misspelt: Any = {**json.loads(os.environ["ADX_CUSTOMER"]), "nickname": "Dupont"}


def failure_of(body: CreateCustomerRequest) -> ApiError:
    try:
        client.create_customer(body)
    except ApiError as error:
        return error
    raise AssertionError("The call did not fail.")


credentials = SignInRequest(os.environ["ADX_USERNAME"], os.environ["ADX_PASSWORD"])
tokens = Client(url, auth={"apiKey": keys}).get_token(credentials)
client = Client(url, auth={"apiKey": keys, "bearer": tokens.id_token})

created = client.create_customer(customer)
again = failure_of(customer)
unknown = failure_of(misspelt)
groups = client.list_coda_files(ListCodaFilesRequest())
files = [file for group in groups for iban in group.ibans for file in iban.files]
file = httpx.get(files[0].urls.coda)

print(
    json.dumps(
        {
            "created": created.name,
            "again": [again.status, again.body["error"]],
            "unknown": [unknown.status, unknown.body["error"], unknown.body["fields"]],
            "downloaded": file.content.decode(),
        }
    )
)
