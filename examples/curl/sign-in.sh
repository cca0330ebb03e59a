#!/usr/bin/env bash
# Signs in with a code from an email, prints the account and its sessions, and signs out.
# Needs bash and curl. Usage: sign-in.sh [address of the server]
set -euo pipefail

server=${1:-http://localhost:3000}
server=${server%/}
answer=
token=
# The key by which the server recognises this installation. It gives access to nothing.
client_key=${XDG_CONFIG_HOME:-$HOME/.config}/postern-example/curl-$(printf '%s' "$server" | tr -c 'A-Za-z0-9.' -)

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

ask() {
  printf '%s' "$1" >&2
  IFS= read -r reply || fail 'No input, so the sign-in is cancelled.'
}

# Text as a JSON string.
json() {
  printf '"%s"' "$(printf '%s' "$1" | tr -d '[:cntrl:]' | sed 's/["\\]/\\&/g')"
}

# call INPUT PATH [curl's options …]: stores the response, headers included, in $answer.
# Secrets go to curl on standard input, because every user of this machine can read the arguments of
# a process. (printf is built into bash, so it starts no process.)
call() {
  local input=$1 path=$2
  shift 2
  answer=$(printf '%s' "$input" |
    curl --silent --show-error --include --max-time 30 "$@" "$server$path" | tr -d '\r') ||
    fail "No response from $server."
}

post_json() {
  call "$2" "$1" --header 'Content-Type: application/json' --header "@$client_key" --data-binary @-
}

# Makes the key once: 32 random bytes, in a file that holds the whole header.
keep_client_key() {
  [ -s "$client_key" ] && return
  (umask 077 && mkdir -p "${client_key%/*}" &&
    printf 'X-Postern-Client: %s\n' "$(od -An -tx1 -N32 /dev/urandom | tr -d ' \n')" >"$client_key.new" &&
    mv "$client_key.new" "$client_key") || fail 'The key of this installation could not be stored.'
}

as_me() {
  call "header = \"Authorization: Bearer $token\"" "$@" --config -
}

status() {
  printf '%s\n' "$answer" | sed -n 's/^HTTP\/[0-9.]* \([0-9]*\).*/\1/p' | tail -n 1
}

header() {
  printf '%s\n' "$answer" | { grep -i "^$1:" || true; } | tail -n 1 | cut -d : -f 2- | tr -d ' '
}

# The body is one line of JSON.
body() {
  printf '%s\n' "$answer" | tail -n 1
}

# A string of the body. Works for messages and codes, which contain no quotation marks.
field() {
  body | sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"
}

# Returns after a success. Otherwise prints the reason and exits.
must_succeed() {
  case $(status) in
    200) ;;
    401) fail 'The session has ended. Sign in again.' ;;
    403)
      [ "$(field code)" != CHALLENGE_REQUIRED ] || fail 'This server asks for a proof of work, which this script does not make.'
      fail "$(field message)"
      ;;
    429) fail "Too many requests. Try again in $(header Retry-After) seconds." ;;
    *) fail "$server answered $(status): $(field message)" ;;
  esac
}

sign_out() {
  as_me /api/auth/sign-out --request POST
  must_succeed
  echo 'Signed out.'
}

ask 'Email: '
email=$(json "$reply")
keep_client_key
post_json /api/auth/email-otp/send-verification-otp "{\"email\":$email,\"type\":\"sign-in\"}"
must_succeed
echo 'We sent you a code.'

while [ -z "$token" ]; do
  ask 'Code: '
  post_json /api/auth/sign-in/email-otp "{\"email\":$email,\"otp\":$(json "$reply")}"
  case $(field code) in
    INVALID_OTP) echo 'That code is not right. Try again.' ;;
    OTP_EXPIRED | TOO_MANY_ATTEMPTS) fail 'That code no longer works. Start again to get a new one.' ;;
    *)
      must_succeed
      token=$(header set-auth-token)
      case $token in '' | *[!A-Za-z0-9_-]*) fail "$server sent no token." ;; esac
      ;;
  esac
done
# From here on, every exit ends the session.
trap sign_out EXIT

as_me /api/hello
must_succeed
field message

as_me /api/auth/list-sessions
must_succeed
echo 'You are signed in on:'
# A client chooses the name of its device, so only printable ASCII reaches the terminal.
body | grep -oE '"(createdAt|userAgent)":"([^"\\]|\\.)*"' | sed 's/^[^:]*:"//; s/"$//' |
  LC_ALL=C tr -cd '\40-\176\n' | paste -d ' ' - - | sed 's/^/  /'
