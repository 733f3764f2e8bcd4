import json
import os
import sys
import urllib.error
import urllib.request

request = urllib.request.Request(
    os.environ["REPORTS_URL"] + "/api/identity/url",
    method="POST",
    headers={
        "X-API-Key": os.environ["ACME_API_KEY"],
        "Content-Type": "application/json",
    },
    data=json.dumps(
        {"userEmail": "west@acme.example", "baseUrl": os.environ["ACME_BASE_URL"]}
    ).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=5) as response:
        print(json.load(response)["embedUrl"])
except urllib.error.HTTPError as error:
    sys.exit(error.read().decode())
