"""Named steps of a client's script: each prints its name, and a failed one the response of the service."""

import json
import os
import sys
import traceback

BASE = os.environ["STOCKROOM_URL"]
USERNAME = os.environ["STOCKROOM_USERNAME"]
PASSWORD = os.environ["STOCKROOM_PASSWORD"]
FOLDER = os.environ["STOCKROOM_FOLDER"]
# tells the objects of this run from those of earlier runs
RUN = os.environ["STOCKROOM_RUN"]

_passed = 0
_failed = 0
_known = 0


def describe(error):
    """Returns the status and body of a response that the client rejects, or the error with its line in the script."""
    detail = error.args[0] if error.args else None
    if isinstance(detail, dict) and "status_code" in detail:
        return f"{detail.get('method', 'GET')} {detail['url']}: {detail['status_code']} {str(detail['body'])[:400]}"
    if isinstance(error, NameError):
        return f"{error} (an earlier step failed)"
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({os.path.basename(frame.filename)}:{frame.lineno} {frame.line})"


class step:
    """
    A step of the script. With `client_fault`, the client cannot do it with InvenTree 1.5 either: an error that contains `error` does not
    fail the run.
    """

    def __init__(self, name, client_fault=None, error=""):
        self.name = name
        self.client_fault = client_fault
        self.error = error

    def __enter__(self):
        return self

    def __exit__(self, kind, error, _):
        global _passed, _failed, _known
        if error is None:
            _passed += 1
            print(f"  passed  {self.name}", flush=True)
        elif not isinstance(error, Exception):
            return False
        elif self.client_fault and self.error in describe(error):
            _known += 1
            print(f"  client  {self.name}: {self.client_fault}", flush=True)
        else:
            _failed += 1
            print(f"  FAILED  {self.name}: {describe(error)}", flush=True)
        return True


def finish():
    """Prints the counts in the form that `clients.ts` reads, and ends the script."""
    print(json.dumps({"passed": _passed, "failed": _failed, "clientFaults": _known}))
    sys.exit(1 if _failed else 0)


def write_file(name, content):
    """Writes a file for an upload, and returns its path."""
    path = os.path.join(FOLDER, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def png(shade=0):
    """Returns the bytes of a picture with 8 by 8 points of a shade of grey."""
    import struct
    import zlib

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\0" + bytes([shade]) * 8 for _ in range(8))
    header = struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def rejects(action, status):
    """Checks that the service rejects an action with this status."""
    try:
        action()
    except Exception as error:
        detail = error.args[0] if error.args else None
        assert isinstance(detail, dict) and detail.get("status_code") == status, describe(error)
        return
    raise AssertionError(f"the service accepts it, instead of {status}")
