"""Commands that are never suggested, by any agent, each with the reason.

A command is looked at without quotes, backslashes and variables that only separate words, wherever in a line it stands:
behind sudo, in a pipeline, in a substitution, in what another shell is given. The list is meant to find too much rather
than too little: who wants such a command can type it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_COMMAND = r"(?:^|[^\w.~=-])(?:[\w./~-]*/)?"
"""What stands before the name of a command: nothing that belongs to a word, or a path."""
_ARGUMENTS = r"(?:[^;|&\n]|&>|>&)*?"
_WHOLE = (
    r"(?:--no-preserve-root\b|(?<=\s)(?:/+(?:\.?\*)?|/+\.+/*|\.{1,2}/?\*?|\*|~[\w-]*/?\*?|\$\{?(?:HOME|PWD|OLDPWD)\}?/?\*?"
    r"|/+(?:bin|boot|dev|etc|home|lib\w*|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library|Applications)"
    r"(?:/+(?:\*|bin|lib|local|log|\w+/?(?=\s*(?:[;|&)`\n]|$))))?/*\*?))(?=[\s;|&)`}]|$)"
)
"""Everything, all that is here, a home, or what the system is made of."""
_DISK = r"/dev/(?!null\b|zero\b|u?random\b|tty\w*|stdin\b|stdout\b|stderr\b|fd\b|full\b|shm\b|pts\b)\w+"
_SHELLS = r"(?:(?:ba|da|z|k|c|tc|fi|a)?sh|python[\d.]*|perl|ruby|node|php|source|eval|\.)"
_DOWNLOADS = r"(?:curl|wget|fetch|lwp-request|aria2c|nc|ncat|netcat|base64|xxd)"


@dataclass(frozen=True)
class Danger:
    """A kind of command that is never suggested, and why."""

    name: str
    reason: str
    pattern: re.Pattern[str]


def _danger(name: str, reason: str, pattern: str) -> Danger:
    return Danger(name, reason, re.compile(pattern, re.MULTILINE))


DANGERS = (
    _danger(
        "delete everything",
        "It deletes a whole system, a home or all that is in a folder, and nothing brings it back.",
        rf"{_COMMAND}(?:rm|shred|srm|wipe)\s{_ARGUMENTS}{_WHOLE}",
    ),
    _danger(
        "delete by search",
        "It deletes whatever a search finds, and nothing brings it back.",
        rf"{_COMMAND}find\s{_ARGUMENTS}{_WHOLE}{_ARGUMENTS}-(?:delete\b|exec(?:dir)?\s+(?:\S*/)?(?:rm|shred)\b)",
    ),
    _danger(
        "overwrite a disk",
        "It writes over a disk or a partition, with all files on it.",
        rf"{_COMMAND}dd\s[^;|&\n]*\bof\s*=\s*/dev/(?!null\b)|(?:>\s*|{_COMMAND}tee\s{_ARGUMENTS}){_DISK}"
        rf"|{_COMMAND}(?:cp|mv|install|cat|shred|wipe|badblocks|pv)\s{_ARGUMENTS}{_DISK}",
    ),
    _danger(
        "format a disk",
        "It makes a new file system or partition table, and what was there is lost.",
        rf"{_COMMAND}(?:mkfs(?:\.\w+)?|mke2fs|mkswap|wipefs|fdisk|sfdisk|cfdisk|gdisk|sgdisk|parted|blkdiscard|cryptsetup"
        r"|hdparm|diskutil|format|mdadm|pvremove|vgremove|lvremove|zpool\s+destroy)(?=\s|$)",
    ),
    _danger(
        "fork bomb",
        "It starts copies of itself until the machine stands still.",
        r"([\w:.@]+)\s*\(\s*\)\s*\{[^}]*\1\s*\|\s*\1|while\s+(?:true|:|1)\b[^\n]*&\s*(?:;|done)|\bfork\s+while\s+fork",
    ),
    _danger(
        "open or take all files",
        "It changes the rights or the owner of a system's files, or lets everybody write to them.",
        rf"{_COMMAND}(?:chmod|chown|chgrp|chattr|setfacl)\s{_ARGUMENTS}{_WHOLE}"
        rf"|{_COMMAND}chmod\s{_ARGUMENTS}(?:0*[0-7]?777|a\+rwx|\+rwx|ugo\+rwx)\b|{_COMMAND}chmod\s{_ARGUMENTS}[ugoa]*\+s\b",
    ),
    _danger(
        "run what was downloaded",
        "It runs a text from elsewhere that you have not read.",
        rf"{_COMMAND}{_DOWNLOADS}\b[^;\n]*\|[^;\n]*{_COMMAND}{_SHELLS}(?=\s|$|[);`])"
        rf"|{_COMMAND}{_SHELLS}\s[^;\n]*[<$(`][^;\n]*{_COMMAND}{_DOWNLOADS}\b|{_COMMAND}eval\s[^\n]*[$`]",
    ),
    _danger(
        "stop the machine",
        "It stops or restarts the machine, with all that runs on it.",
        rf"{_COMMAND}(?:shutdown|reboot|halt|poweroff|telinit|init\s+[06])(?=[\s;|&)`}}]|$)"
        rf"|{_COMMAND}systemctl\s{_ARGUMENTS}(?:poweroff|reboot|halt|kexec|rescue|emergency|suspend|hibernate)\b"
        rf"|{_COMMAND}kill(?:all5?)?\s{_ARGUMENTS}(?:-1(?=[\s;|&)`]|$)|(?<=\s)1(?=[\s;|&)`]|$))|/proc/sysrq-trigger"
        rf"|{_COMMAND}pkill\s{_ARGUMENTS}-u\b",
    ),
    _danger(
        "credentials",
        "It shows or sends passwords, keys or what was typed before.",
        rf"(?:/etc/(?:g?shadow|sudoers)|\.ssh/(?:id_\w+|identity)(?!\.pub)\b|\.aws/credentials|\.netrc|\.pgpass|\.gnupg/private"
        rf"|\.git-credentials|_history\b)|{_COMMAND}history\b[^\n]*[|>]|{_COMMAND}(?:env|printenv|set)\b[^;\n]*\|[^;\n]*{_DOWNLOADS}"
        rf"|{_COMMAND}(?:security\s+find-\w+-password|secret-tool\s+lookup|gpg\s{_ARGUMENTS}--export-secret)",
    ),
    _danger(
        "lose what is in version control",
        "It throws away work that was not kept, or rewrites what others have.",
        rf"{_COMMAND}git\s{_ARGUMENTS}(?:push\s[^;|&\n]*(?:--force(?!-with-lease)|\s-\w*f|--mirror|--delete)|reset\s[^;|&\n]*--hard"
        r"|clean\s[^;|&\n]*-\w*[fx]|filter-branch|reflog\s+expire|update-ref\s+-d|checkout\s+(?:--\s+)?\.(?=\s|$))",
    ),
    _danger(
        "remove the system or its users",
        "It removes users, all rules of a firewall, all tasks, or what the system cannot do without.",
        rf"{_COMMAND}(?:userdel|deluser|groupdel|crontab\s{_ARGUMENTS}-\w*r\b|iptables\s{_ARGUMENTS}(?:-F|--flush)|ufw\s+disable"
        rf"|visudo|passwd\s{_ARGUMENTS}(?:-d|--delete)|swapoff\s+-a|rmmod|insmod|update-initramfs|grub-install|efibootmgr"
        rf"|docker\s+system\s+prune|kubectl\s+delete|terraform\s+destroy|drop(?:db|user)|redis-cli\s+flush\w+)(?=[\s;|&)`}}]|$)"
        rf"|{_COMMAND}(?:apt|apt-get|aptitude|dpkg|dnf|yum|pacman|brew)\s{_ARGUMENTS}(?:(?:remove|purge|autoremove|-R\w*|-r|-P)\s"
        rf"{_ARGUMENTS}(?:libc6|glibc|coreutils|systemd\b|bash|dpkg|sudo|linux-image\S*|apt\b)|--force-(?:all|remove\S*|yes))"
        r"|\b(?i:drop\s+(?:database|table|schema)|truncate\s+table|delete\s+from\s+\w+\s*(?:;|$))",
    ),
    _danger(
        "overwrite what the system is made of",
        "It writes over files that the system needs to start or to let people in.",
        r"(?:>{1,2}\||>{1,2}|\btee\s(?:-a\s+)?)\s*/(?:etc|boot|bin|sbin|lib\w*|usr|proc|sys)/|"
        rf"{_COMMAND}(?:mv|ln|truncate|sed\s{_ARGUMENTS}-i\S*)\s{_ARGUMENTS}(?<=\s)/(?:etc|boot|bin|sbin|lib\w*|usr|proc|sys)(?:/|\s|$)"
        rf"|{_COMMAND}mv\s{_ARGUMENTS}(?:{_WHOLE}|/dev/null)",
    ),
)
"""What is never suggested."""

_LONGEST = 500
_TOO_LONG = _danger("too long", "It is too long to be read before it is run.", "")
_SEPARATORS = re.compile(r"\$\{?IFS\}?|\$@|\$\*|\\\n")
_QUOTES = re.compile(r"""\$(?=['"])|["'\\]""")
_BRACES = re.compile(r"\{([^{}\s]*,[^{}\s]*)\}")
_HEXADECIMAL = re.compile(r"\\x([0-9a-fA-F]{2})|\\0?([0-7]{3})")


def danger_in(command: str) -> Danger | None:
    """Return why a command must not be suggested; None: nothing speaks against it."""
    if len(command) > _LONGEST:
        return _TOO_LONG
    for text in _readings(command):
        for danger in DANGERS:
            if danger.pattern.search(text):
                return danger
    return None


def _readings(command: str) -> tuple[str, ...]:
    """Return the texts that a command may stand for: with its parts in quotes as words, and as commands."""
    spelled = _HEXADECIMAL.sub(lambda found: chr(int(found[1], 16) if found[1] else int(found[2], 8) & 255), command)
    texts = []
    for one in dict.fromkeys((command, spelled)):
        joined = _BRACES.sub(lambda found: found[1].replace(",", " "), _SEPARATORS.sub(" ", one))
        texts += [_QUOTES.sub("", joined), _QUOTES.sub(" ", joined)]
    return tuple(dict.fromkeys(texts))
