"""A host application in Python's standard library: sign-in, a page with the embed, the host endpoint."""

import base64
import hashlib
import hmac
import http.client
import json
import logging
import os
import re
import secrets
import time
import unicodedata
import uuid
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

log = logging.getLogger("host")

# The tenant of each host name. Only the exact host name of a request selects it.
TENANTS = {
    f"{slug}.localhost": {
        "api_url": os.environ["REPORTS_URL"],
        "api_key": os.environ[f"{slug.upper()}_API_KEY"],
        "organization_id": os.environ[f"{slug.upper()}_ORGANIZATION_ID"],
        "portal_url": os.environ[f"{slug.upper()}_BASE_URL"],
    }
    for slug in ("acme", "globex")
}

# Stands for your own users, and for how you check who they are.
PEOPLE = {
    "west@acme.example": {"host_name": "acme.localhost", "region": "West"},
    "all@acme.example": {"host_name": "acme.localhost", "region": None},
}
PASSWORD = "demo"

SECRET = os.environ.get("SESSION_SECRET", secrets.token_hex(32)).encode()
SCHEME = os.environ.get("PUBLIC_SCHEME", "http")
PUBLIC = Path(os.environ.get("PUBLIC_FOLDER", Path(__file__).parent.parent / "page"))
SESSION_SECONDS = 12 * 60 * 60
TIMEOUT_SECONDS = 5
MAX_BODY_BYTES = 256 * 1024
MAX_FILTER_BYTES = 16 * 1024

ERRORS = {
    "not_signed_in": (401, "Nobody is signed in", "Sign in to the application, then try again."),
    "unknown_tenant": (404, "No tenant is configured for this host name", "Check the address."),
    "cross_site": (
        403,
        "The request came from another site",
        "Call this address from a page of the same origin.",
    ),
    "forbidden": (
        403,
        "The user may not request this",
        "Ask for filters that this user may choose.",
    ),
    "no_portal_user": (
        403,
        "The portal does not know this user",
        "Ask an administrator of the portal to create this user.",
    ),
    "report_not_accessible": (
        403,
        "No access to this report",
        "Ask an administrator of the portal for access.",
    ),
    "invalid_request": (400, "The request is not valid", "Correct the request."),
    "unsupported_media_type": (
        415,
        "The body is compressed or of another type",
        "Send the body uncompressed.",
    ),
    "rate_limited": (429, "Too many requests", "Wait as long as the Retry-After header says."),
    "portal_rejected_key": (
        502,
        "The portal rejected the API key",
        "The API key of this tenant needs attention.",
    ),
    "portal_unavailable": (503, "The portal is not available", "Try again in a moment."),
    "portal_timeout": (504, "The portal took too long to answer", "Try again in a moment."),
}


class Refusal(Exception):
    """Why the browser gets no URL. The detail is safe to show."""

    def __init__(self, code, detail=None, retry_after=None, errors=None):
        self.status, self.title, advice = ERRORS[code]
        super().__init__(detail or advice)
        self.code, self.retry_after, self.errors = code, retry_after, errors


# The policy: who may see what.


def apply_policy(user, asked):
    """Returns the browser's request with the filters that always apply to this user."""
    if user["region"] is None:
        return asked
    locked = {"key": "Superstore/Region", "value": user["region"]}
    chosen = []
    for each in asked.get("customFilters", []):
        if column_of(each["key"]) != column_of(locked["key"]):
            chosen.append(each)
        elif each["value"] != locked["value"]:
            raise Refusal("forbidden")
    return {**asked, "customFilters": [locked, *chosen]}


def column_of(key):
    return unicodedata.normalize("NFKC", key).lower().split("/")[-1]


# The mint: one request to the portal.


def mint(tenant, email, asked):
    """Returns a fresh identity URL for the user, as the host endpoint answers it."""
    body = {"userEmail": email, "baseUrl": tenant["portal_url"], **asked}
    if "reportId" in asked:
        body["organizationId"] = tenant["organization_id"]
    status, headers, answer = call(tenant, "POST", "/api/identity/url", body)
    if not 200 <= status < 300:
        raise refuse_answer(status, headers, answer)
    url, expires_at = answer.get("embedUrl"), answer.get("expiresAt")
    try:
        if origin_of(url) != origin_of(tenant["portal_url"]):
            raise ValueError("another origin")
        expiry = datetime.fromisoformat(expires_at.replace("Z", "+00:00"))
        expires_in = (expiry - datetime.now(timezone.utc)).total_seconds()
    except (AttributeError, TypeError, ValueError):
        log.error("The portal minted no URL of %s. Check the tenant.", tenant["portal_url"])
        raise Refusal("portal_unavailable") from None
    minted = {"embedUrl": url, "expiresAt": expires_at, "expiresIn": max(0, round(expires_in))}
    # Tells the embed that a page without messages is not the portal's.
    return {**minted, "frameChannel": True} if answer.get("frameChannel") is True else minted


def refuse_answer(status, headers, answer):
    code = answer.get("code")
    log.warning("The portal answered %s %s.", status, code or "")
    by_code = {"report_not_accessible": "report_not_accessible", "user_expired": "no_portal_user"}
    by_status = {400: "invalid_request", 401: "portal_rejected_key", 403: "portal_rejected_key",
                 404: "no_portal_user", 422: "invalid_request", 429: "rate_limited"}  # fmt: skip
    refusal = by_code.get(code) or by_status.get(status, "portal_unavailable")
    retry_after = headers.get("Retry-After", "")
    return Refusal(refusal, retry_after=retry_after if retry_after.isdecimal() else None)


def end_sessions(tenant, email):
    """Ends the portal sessions of a user who signs out, which outlive the session here."""
    try:
        status, _, _ = call(tenant, "DELETE", f"/api/user/{quote(email, safe='')}/sessions")
        if not 200 <= status < 300:
            log.error("The portal sessions of a user were not ended: status %s.", status)
    except Refusal as refusal:
        log.error("The portal sessions of a user were not ended: %s.", refusal.code)


def call(tenant, method, path, body=None):
    """Calls the portal's API. Follows no redirect, which could lead the key to another server."""
    address = urlsplit(tenant["api_url"])
    connect = (
        http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    )
    connection = connect(address.netloc, timeout=TIMEOUT_SECONDS)
    deadline = time.monotonic() + TIMEOUT_SECONDS
    try:
        headers = {"X-API-Key": tenant["api_key"], "Content-Type": "application/json"}
        text = None if body is None else json.dumps(body)
        connection.request(method, address.path.rstrip("/") + path, text, headers)
        response = connection.getresponse()
        content = b""
        while part := response.read1(64 * 1024):
            content += part
            # The timeout of the connection begins anew with each part.
            if time.monotonic() > deadline or len(content) > MAX_BODY_BYTES:
                raise TimeoutError
        try:
            answer = json.loads(content)
        except ValueError:
            answer = None
        return response.status, response.headers, answer if isinstance(answer, dict) else {}
    except TimeoutError:
        raise Refusal("portal_timeout") from None
    except (OSError, http.client.HTTPException) as error:
        log.error("The portal could not be reached: %s.", type(error).__name__)
        raise Refusal("portal_unavailable") from None
    finally:
        connection.close()


def origin_of(url):
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


# What the browser may send.


def read_asked(text):
    """Parses the body of the host endpoint. Unknown fields are refused: they are mistakes."""
    try:
        asked = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise Refusal("invalid_request", "Send a body that is valid JSON in UTF-8.") from None
    if not isinstance(asked, dict):
        raise Refusal("invalid_request", "Send an object.")
    errors = [
        {"path": name, "message": message}
        for name, value in asked.items()
        if (message := find_mistake(name, value))
    ]
    if errors:
        raise Refusal("invalid_request", "Correct the fields in errors.", errors=errors)
    return asked


def find_mistake(name, value):
    if name not in FIELDS:
        return "is not a known field"
    is_valid, expected = FIELDS[name]
    return None if is_valid(value) else f"must be {expected}"


def is_id(value):
    try:
        return isinstance(value, str) and len(value) == 36 and uuid.UUID(value) is not None
    except ValueError:
        return False


def is_flag(value):
    return isinstance(value, bool)


def size_of(value):
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return len(text.encode("utf-8", "surrogatepass"))


def are_filters(value):
    return (
        isinstance(value, list)
        and len(value) <= 100
        and all(
            isinstance(each, dict)
            and each.keys() == {"key", "value"}
            and all(isinstance(text, str) for text in each.values())
            and each["key"] != ""
            for each in value
        )
        and size_of(value) <= MAX_FILTER_BYTES
    )


FLAG = (is_flag, "true or false")
FIELDS = {
    "reportId": (is_id, "a UUID"),
    "hideMenu": FLAG,
    "hideNavbar": FLAG,
    "hideSidebar": FLAG,
    "embed": FLAG,
    "customFilters": (
        are_filters,
        "a list of at most 100 objects with the texts key and value, of 16 kB",
    ),
}

# The session: a signed cookie that is valid at one host name. A copy of it survives the sign-out; a store would not.


def sign(payload):
    return base64.urlsafe_b64encode(hmac.digest(SECRET, payload, hashlib.sha256)).decode()


def seal_session(email, host_name):
    user = {"email": email, "host": host_name, "until": time.time() + SESSION_SECONDS}
    payload = base64.urlsafe_b64encode(json.dumps(user).encode())
    return f"{payload.decode()}.{sign(payload)}"


def open_session(cookies, host_name):
    """Returns the e-mail of the signed-in user, or None."""
    for pair in (cookies or "").split(";"):
        name, _, value = pair.strip().partition("=")
        payload, _, signature = value.partition(".")
        expected = sign(payload.encode()).encode()
        if name == "session" and hmac.compare_digest(expected, signature.encode()):
            user = json.loads(base64.urlsafe_b64decode(payload))
            if user["host"] == host_name and user["until"] > time.time():
                return user["email"]
    return None


ENDPOINT = "/portal-embed/url"
PAGES = {"/": ("index.html", "text/html"), "/page.js": ("page.js", "text/javascript")}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def handle_one_request(self):
        self.request_id = str(uuid.uuid4())
        super().handle_one_request()

    def do_GET(self):
        path = self.route()
        page = PAGES.get(path)
        if path == ENDPOINT:
            self.refuse_method()
        elif page is None or self.tenant() is None:
            self.answer(404, "text/plain", "Not found")
        else:
            name, kind = page
            self.answer(200, kind, (PUBLIC / name).read_text("utf-8"))

    def do_POST(self):
        route = {
            ENDPOINT: self.mint_url,
            "/sign-in": self.sign_in,
            "/sign-out": self.sign_out,
        }.get(self.route())
        if route is None:
            self.close_connection = True
            self.answer(404, "text/plain", "Not found")
            return
        try:
            route()
        except Refusal as refusal:
            # The body may be unread.
            self.close_connection = True
            self.answer_problem(refusal)

    def refuse_method(self):
        self.close_connection = True
        if self.route() == ENDPOINT:
            refusal = Refusal("invalid_request", "Send a POST request.")
            refusal.status = 405
            self.answer_problem(refusal, {"Allow": "POST"})
        else:
            self.answer(405, "text/plain", "Not allowed")

    do_HEAD = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = refuse_method

    def mint_url(self):
        tenant = self.tenant()
        if tenant is None:
            raise Refusal("unknown_tenant")
        if self.is_cross_site():
            raise Refusal("cross_site")
        email = open_session(self.headers.get("Cookie"), self.host_name())
        if email not in PEOPLE:
            raise Refusal("not_signed_in")
        kind = self.headers.get("Content-Type", "").split(";")[0].strip().lower()
        if kind != "application/json":
            raise Refusal(
                "invalid_request",
                "Send the body as JSON, with the header Content-Type: application/json.",
            )
        asked = read_asked(self.read_body())
        minted = mint(tenant, email, apply_policy(PEOPLE[email], asked))
        self.answer(200, "application/json", json.dumps(minted))

    def sign_in(self):
        if self.is_cross_site():
            raise Refusal("cross_site")
        form = parse_qs(self.read_body())
        email, password = form.get("email", [""])[0], form.get("password", [""])[0]
        person = PEOPLE.get(email)
        if (
            person is None
            or person["host_name"] != self.host_name()
            or not hmac.compare_digest(password.encode(), PASSWORD.encode())
        ):
            self.answer(401, "text/plain", "Wrong e-mail or password.")
            return
        self.redirect_home(seal_session(email, self.host_name()), SESSION_SECONDS)

    def sign_out(self):
        if self.is_cross_site():
            raise Refusal("cross_site")
        self.read_body()
        email, tenant = open_session(self.headers.get("Cookie"), self.host_name()), self.tenant()
        if email and tenant:
            end_sessions(tenant, email)
        self.redirect_home("", 0)

    def redirect_home(self, session, seconds):
        secure = "; Secure" if SCHEME == "https" else ""
        cookie = f"session={session}; Path=/; HttpOnly; SameSite=Lax; Max-Age={seconds}{secure}"
        self.answer(303, "text/plain", "", {"Location": "/", "Set-Cookie": cookie})

    def route(self):
        return urlsplit(self.path).path

    def host_name(self):
        hosts = self.headers.get_all("Host") or []
        host = hosts[0].lower() if len(hosts) == 1 else ""
        return re.sub(r":\d*$", "", host).removesuffix(".")

    def tenant(self):
        return TENANTS.get(self.host_name())

    def is_cross_site(self):
        site, origin = self.headers.get("Sec-Fetch-Site"), self.headers.get("Origin")
        if site is not None:
            return site != "same-origin"
        # Browsers without Sec-Fetch-Site over plain http send the origin. Other programs have no user's cookies.
        return origin is not None and origin != f"{SCHEME}://{self.headers.get('Host')}"

    def read_body(self):
        if self.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise Refusal("unsupported_media_type")
        length = self.headers.get("Content-Length", "0")
        if self.headers.get("Transfer-Encoding") or not length.isdecimal():
            raise Refusal("invalid_request", "Send the body with its Content-Length.")
        if int(length) > MAX_BODY_BYTES:
            raise Refusal("invalid_request", "Send a smaller body: 256 kB at most.")
        try:
            return self.rfile.read(int(length)).decode("utf-8")
        except UnicodeDecodeError:
            raise Refusal("invalid_request", "Send a body that is valid JSON in UTF-8.") from None

    def answer_problem(self, refusal, headers=None):
        problem = {
            "type": f"urn:portal-embed:problem:{refusal.code}",
            "title": refusal.title,
            "status": refusal.status,
            "detail": str(refusal),
            "code": refusal.code,
            "requestId": self.request_id,
            **({"errors": refusal.errors} if refusal.errors else {}),
        }
        log.warning("refused: %s (request %s)", refusal.code, self.request_id)
        extra = {
            **(headers or {}),
            **({"Retry-After": refusal.retry_after} if refusal.retry_after else {}),
        }
        self.answer(refusal.status, "application/problem+json", json.dumps(problem), extra)

    def answer(self, status, kind, text, headers=None):
        content = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Request-Id", self.request_id)
        tenant = self.tenant()
        portal = tenant["portal_url"] if tenant else ""
        self.send_header(
            "Content-Security-Policy",
            f"default-src 'self'; frame-src {portal}; connect-src 'self' {portal}; frame-ancestors 'self'",
        )
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def log_message(self, *_):
        """Keeps addresses of requests out of the log."""


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Handler)
    print(f"http://acme.localhost:{server.server_port}", flush=True)
    server.serve_forever()
