"""nginx with the configuration that `docs/operating.md` shows: only ports and the place of the certificate differ."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.pages.screen import ROOT

NAME = "planglass.example.org"
WHERE = "/usr/sbin:/usr/local/sbin"
"""Debian puts it where only root looks."""


def find() -> str | None:
    """Return nginx, if it is installed."""
    return shutil.which("nginx") or shutil.which("nginx", path=WHERE)


def documented() -> str:
    """Return the configuration that the documentation shows."""
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```nginx\n(.*?)```", text, re.DOTALL)
    return str(block)


def configure(folder: Path, port: int, ports: Sequence[int]) -> Path:
    """Write the documented configuration with these ports, and a certificate of its own; return its file."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    request = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={NAME}")
    subprocess.run([*request, "-out", certificate, "-keyout", key], check=True, capture_output=True)
    block = documented()
    changes = {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        **{f"127.0.0.1:{8501 + i};": f"127.0.0.1:{number};" for i, number in enumerate(ports)},
        f"/etc/ssl/certs/{NAME}.pem": str(certificate),
        f"/etc/ssl/private/{NAME}.key": str(key),
    }
    for there, here in changes.items():
        assert block.count(there) == 1, there
        block = block.replace(there, here)
    kept = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{one}_temp_path {folder / one};\n" for one in kept)
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off;\npid {folder / 'nginx.pid'};\nerror_log {folder / 'nginx.log'};\nevents {{}}\n"
        f"http {{\naccess_log off;\n{folders}{block}}}\n"
    )
    return file
