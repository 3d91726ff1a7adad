"""What is added to a shell so that it tells where its prompts and commands begin; the user's own settings go first.

bash reads a file of ours in place of the user's `.bashrc`, which that file reads first. Enter stays as it is bound: the
wrapper sends keys of its own to ask what stands on the line. dash reads a file of ours after the one that ENV names.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dialogue.agents.terminal.wrapped.markers import mark_start

KEY_LINE = b"\x18\x1e\x1e"
"""Ctrl-X Ctrl-^ Ctrl-^: tell what stands on the line. Unbound in readline; where it does nothing, it rings the bell."""
KEY_PUT = b"\x18\x1e\x18"
"""Put a suggestion on the line."""
KEY_DONE = b"\x18\x1e\x05"
"""Keep the line in the history, and empty it."""
KEY_DRAW = b"\x18\x1e\x0f"
"""Draw the prompt and the line anew."""
OLDEST_BASH = (4, 4)
INSIDE = "PLANGLASS_SHELL"
"""The variable that says to what runs in the shell that it is wrapped."""


class UnusableShell(ValueError):
    """A shell cannot be wrapped; the message says why, and what to do."""


@dataclass(frozen=True)
class Launch:
    """How a shell is started: its program and arguments, and what is added to the environment.

    `edits` says that it has a line that can be asked for and changed: bash.
    """

    name: str
    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    edits: bool = False


_BASH = r"""# Written by `planglass shell`, for this one session.
[ -r ~/.bashrc ] && . ~/.bashrc
{
  # A DEBUG trap of the user's is spared what is ours.
  __planglass_debug=$(builtin trap -p DEBUG)
  eval "__planglass_debug=($__planglass_debug)"
  __planglass_debug=${__planglass_debug[2]}
  [[ $__planglass_debug ]] && builtin trap -- 'case $BASH_COMMAND in *__planglass_*) ;; *) '"$__planglass_debug"'
;; esac' DEBUG
  builtin unset __planglass_debug
} > /dev/null 2>&1
__planglass_mark=$'@START@' __planglass_n=0 __planglass_next='$((__planglass_n=__planglass_n+1))'$'\a'
__planglass_line() {
  local line word known=0
  line=${READLINE_LINE#"${READLINE_LINE%%[! ]*}"}
  word=${line%%[ ;|&<>()]*}
  case $word in
    ''|[-.+]*|*[!A-Za-z0-9_.+-]*) ;;
    *) builtin type -- "$word" > /dev/null 2>&1 || known=1 ;;
  esac
  builtin printf '%sline;%s;%s\a' "$__planglass_mark" "$known" "${READLINE_LINE@Q}" > /dev/tty
}
__planglass_put() { IFS= builtin read -r READLINE_LINE < @PUT@; READLINE_POINT=99999; }
__planglass_done() { builtin history -s -- "$READLINE_LINE"; READLINE_LINE=; }
__planglass_draw() { :; }
__planglass_prompt() {
  case $PS1 in *'${__planglass_mark}'*) ;; *) PS1='\[${__planglass_mark}prompt;$?;'$__planglass_next'\]'$PS1 ;; esac
  case $PS2 in *'${__planglass_mark}'*) ;; *) PS2='\[${__planglass_mark}continued;;'$__planglass_next'\]'$PS2 ;; esac
  case $PS0 in *'${__planglass_mark}'*) ;; *) PS0=$PS0'${__planglass_mark}begin;'$'\a' ;; esac
}
for __planglass_keys in emacs-standard vi-insert vi-command; do
  builtin bind -m "$__planglass_keys" -x '"\C-x\C-^\C-^": __planglass_line "$_"'
  builtin bind -m "$__planglass_keys" -x '"\C-x\C-^\C-x": __planglass_put "$_"'
  builtin bind -m "$__planglass_keys" -x '"\C-x\C-^\C-e": __planglass_done "$_"'
  builtin bind -m "$__planglass_keys" -x '"\C-x\C-^\C-o": __planglass_draw "$_"'
done 2> /dev/null
builtin unset __planglass_keys
if [[ "$(builtin declare -p PROMPT_COMMAND 2> /dev/null)" == "declare -a"* ]] && (( BASH_VERSINFO[0] > 5 ||
  (BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] > 0) )); then
  PROMPT_COMMAND+=(__planglass_prompt)
else
  PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}__planglass_prompt
fi
"""
_DASH = """# Written by `planglass shell`, for this one session.
ENV=@ENV@
[ -n "$ENV" ] && [ -r "$ENV" ] && . "$ENV"
__planglass_mark='@START@' __planglass_n=0
PS1='${__planglass_mark}prompt;$?;$((__planglass_n=__planglass_n+1))\a'"$PS1"
PS2='${__planglass_mark}continued;;$((__planglass_n=__planglass_n+1))\a'"$PS2"
"""


def launch(shell: str, folder: Path, nonce: str, environment: Mapping[str, str]) -> Launch:
    """Prepare a shell, given by its name or path, in a folder that only the user can read. Raises UnusableShell."""
    program = shutil.which(shell)
    if program is None:
        raise UnusableShell(f"There is no shell {shell!r} here. Name bash or dash: planglass shell --shell bash.")
    name = Path(program).resolve().name
    start = mark_start(nonce)
    if name == "bash":
        _check_bash(program)
        script = folder / "bashrc"
        quoted = start.replace("\x1b", r"\e")
        put = shlex.quote(str(folder / "put"))
        _write(script, _BASH.replace("@START@", quoted).replace("@PUT@", put))
        return Launch("bash", (program, "--rcfile", str(script), "-i"), {INSIDE: "bash"}, edits=True)
    if name == "dash":
        script = folder / "dashrc"
        own = shlex.quote(environment.get("ENV", ""))
        _write(script, _DASH.replace("@ENV@", own).replace("@START@", start).replace(r"\a", "\a"))
        return Launch("dash", (program, "-i"), {INSIDE: "dash", "ENV": str(script)})
    raise UnusableShell(
        f"{name} cannot be wrapped: only bash and dash can. Use one of them: planglass shell --shell bash."
    )


def _check_bash(program: str) -> None:
    told = subprocess.run(  # noqa: S603  # the user's own shell
        [program, "--norc", "--noprofile", "-c", 'printf "%s %s" "${BASH_VERSINFO[@]:0:2}"'],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.defpath},
    ).stdout.split()
    version = tuple(int(part) for part in told if part.isdigit())
    if version < OLDEST_BASH:
        found = ".".join(map(str, version)) or "unknown"
        raise UnusableShell(f"bash 4.4 or later can be wrapped; {program} is {found}. Install one, or name dash.")


def _write(path: Path, text: str) -> None:
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
