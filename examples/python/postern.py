#!/usr/bin/env python3
"""Signs in with a code from an email, prints the account, and signs out.

Needs Python 3.8 and nothing else. Usage: postern.py [address of the server]
"""

from __future__ import annotations

import json
import os
import sys
from http.client import HTTPException
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import HTTPRedirectHandler, Request, build_opener


class Problem(Exception):
    """An error to show to the user. `code` is the error code of the server."""

    def __init__(self, message: str, code: str = ""):
        super().__init__(message)
        self.code = code


class NoRedirects(HTTPRedirectHandler):
    """Refuses redirects, because urllib would send the token to their target."""

    def redirect_request(self, *args: Any) -> None:
        return None


def client_key(server: str) -> str:
    """The key by which the server recognises this installation. It gives access to nothing."""
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "postern-example"
    path = folder / f"python-{quote(server, safe='')}"
    try:
        if not path.exists():
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(token_urlsafe(32))
        return path.read_text()
    except OSError as error:
        raise Problem(f"The key of this installation could not be stored: {error}") from None


class Postern:
    """A client of one server. It keeps the token in memory only."""

    def __init__(self, server: str):
        self._server = server.rstrip("/")
        self._client_key = client_key(self._server)
        self._token: str | None = None
        self._opener = build_opener(NoRedirects)

    def send_code(self, email: str) -> None:
        self._call("/api/auth/email-otp/send-verification-otp", {"email": email, "type": "sign-in"})

    def sign_in(self, email: str, code: str) -> None:
        answer = self._call("/api/auth/sign-in/email-otp", {"email": email, "otp": code})
        self._token = answer["token"]

    def who_am_i(self) -> dict[str, Any]:
        session = self._call("/api/auth/get-session")
        if session is None:
            raise Problem("The session has ended. Sign in again.")
        return session["user"]

    def sign_out(self) -> None:
        self._call("/api/auth/sign-out", {})
        self._token = None

    def _call(self, path: str, body: dict[str, str] | None = None) -> Any:
        """Sends a GET, or a POST if there is a body."""
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "postern-example-python",
            "X-Postern-Client": self._client_key,
        }
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        try:
            request = Request(self._server + path, data, headers)
            with self._opener.open(request, timeout=30) as response:
                return json.load(response)
        except HTTPError as error:
            raise explain(error) from None
        except (OSError, HTTPException, ValueError) as error:
            raise Problem(f"No response from {self._server}: {error}") from None


def explain(error: HTTPError) -> Problem:
    if error.code == 401:
        return Problem("The session has ended. Sign in again.", "UNAUTHORIZED")
    if error.code == 429:
        return Problem(f"Too many requests. Try again in {error.headers['Retry-After']} seconds.")
    try:
        answer = json.load(error)
        if answer["code"] == "CHALLENGE_REQUIRED":
            return Problem("This server asks for a proof of work, which this script does not make.")
        return Problem(answer["message"], answer["code"])
    except (ValueError, KeyError, TypeError):
        return Problem(f"The server responded with {error.code}.")


def main() -> None:
    postern = Postern(sys.argv[1] if len(sys.argv) > 1 else "http://localhost:3000")
    email = input("Email: ")
    postern.send_code(email)
    print("We sent you a code.")
    while True:
        try:
            postern.sign_in(email, input("Code: "))
            break
        except Problem as problem:
            if problem.code != "INVALID_OTP":
                raise
            print("That code is not right. Try again.")
    try:
        print(f"Hello, {postern.who_am_i()['email']}")
    finally:
        # Ends the session after an error as well.
        postern.sign_out()
    print("Signed out.")


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(str(problem))
    except (EOFError, KeyboardInterrupt):
        sys.exit("No input, so the sign-in is cancelled.")
