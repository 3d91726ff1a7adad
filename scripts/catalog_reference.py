"""Write the tables of docs/catalog-reference.md from the models of the catalog format.

A table stands between `<!-- begin MODEL -->` and `<!-- end MODEL -->`, where MODEL is a name in the JSON schema of
catalogs. Each key gets its type, default and limits from the schema, its meaning from the description of the field,
and as an example the shortest use of it in the catalogs of the document and of the demos.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from catalog.model.names import MAX_NAME
from catalog.values import KINDS
from scripts.schemas import catalog_schema

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "catalog-reference.md"
DEMOS = sorted((ROOT / "catalog" / "demos").glob("*/catalog.yaml"))
LONGEST_EXAMPLE = 70
HEAD = ("| key | type | default | limits | meaning | example |", "|---|---|---|---|---|---|")
PLACES = {
    "Catalog": "the-file", "Fact": "facts", "Instances": "instances", "Skill": "skills", "Mode": "skills",
    "Outcome": "skills", "Goal": "goals", "Extension": "extensions", "Trigger": "triggers", "FactMapping": "mappings",
    "Ordering": "orderings", "Properties": "properties", "Settings": "settings", "Pattern": "kinds-of-values",
    "Method": "methods", "MethodStage": "methods", "Actionable": "what-a-person-can-change",
    "Contact": "contact",
}  # fmt: skip
"""Anchor in the document of each model that another one refers to."""
_MARKED = re.compile(r"<!-- begin (\w+) -->\n.*?<!-- end \1 -->", re.DOTALL)
_WITHIN = {
    "Catalog": (("facts", "Fact"), ("skills", "Skill"), ("goals", "Goal"), ("triggers", "Trigger"),
                ("instances", "Instances"), ("extensions", "Extension"), ("mappings", "FactMapping"),
                ("orderings", "Ordering"), ("methods", "Method"), ("properties", "Properties"),
                ("settings", "Settings"), ("contact", "Contact")),
    "Fact": (("actionable", "Actionable"),),
    "Skill": (("modes", "Mode"),),
    "Mode": (("outcomes", "Outcome"),),
    "Method": (("stages", "MethodStage"),),
}  # fmt: skip
_SINGLE = ("Properties", "Settings", "Actionable")


def write_tables(document: str) -> str:
    """Return the document with each table written anew."""
    schema = catalog_schema()
    uses = find_uses(document)
    return _MARKED.sub(
        lambda match: f"<!-- begin {match[1]} -->\n\n{write_table(match[1], schema, uses)}\n\n<!-- end {match[1]} -->",
        document,
    )


def write_table(name: str, schema: Mapping[str, Any], uses: Mapping[tuple[str, str], list[Any]]) -> str:
    """Return the table of one model, or of all kinds of values that have keys."""
    if name != "Kinds":
        return "\n".join((*HEAD, *(f"| {row} |" for row in _rows(name, schema, uses))))
    head = (f"| kind {HEAD[0]}", f"|---{HEAD[1]}")
    models = {kind: model.__name__ for kind, model in KINDS.items()}
    rows = (f"| `{kind}` | {row} |" for kind, model in models.items() for row in _rows(model, schema, uses))
    return "\n".join((*head, *rows))


def _rows(name: str, schema: Mapping[str, Any], uses: Mapping[tuple[str, str], list[Any]]) -> Iterator[str]:
    model = schema if name == "Catalog" else schema["$defs"][name]
    for key, field in model["properties"].items():
        if "const" in field:
            continue
        required = key in model.get("required", ())
        cells = (
            f"`{key}`",
            _type(field),
            "required" if required else _default(field),
            _limits(field),
            _meaning(name, key, field),
            _example(key, field, uses.get((name, key), [])),
        )
        yield " | ".join(cell.replace("|", "\\|") for cell in cells)


def _type(field: Mapping[str, Any]) -> str:
    """Return what may be written, in words."""
    if "anyOf" in field:
        options = [option for option in field["anyOf"] if option.get("type") != "null"]
        is_kind = any("discriminator" in option for option in options)
        return "[a kind](#kinds-of-values)" if is_kind else " or ".join(dict.fromkeys(map(_type, options)))
    if "$ref" in field:
        return _referred(field["$ref"].rpartition("/")[2])
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if field.get("type") in ("array", "object"):
        inner, words = ("items", "list of") if field["type"] == "array" else ("additionalProperties", "mapping to")
        return f"{words} {_plural(_type(field[inner]))}"
    if field.get("type") == "string" and (field.get("minLength"), field.get("maxLength")) == (1, MAX_NAME):
        return "name"
    return {"boolean": "`true` or `false`", "integer": "whole number", "number": "number"}.get(
        str(field["type"]), "text"
    )


def _referred(name: str) -> str:
    if name in PLACES:
        return f"[{name}](#{PLACES[name]})"
    values = catalog_schema()["$defs"][name]["enum"]
    return ", ".join(f"`{value}`" for value in values)


def _plural(words: str) -> str:
    return f"{words}s" if words in ("name", "text", "number") else words


def _default(field: Mapping[str, Any]) -> str:
    default = field.get("default")
    if default in (None, "", [], {}):
        return "–"
    if isinstance(default, dict):
        return f"`{default['kind']}`" if "kind" in default else "–"
    return default if isinstance(default, str) and " " in default else f"`{json.dumps(default).strip(chr(34))}`"


def _limits(field: Mapping[str, Any]) -> str:
    """Return the bounds that the schema gives, those of an optional field included."""
    for option in field.get("anyOf", ()):
        field = {**option, **field}
    low, high = field.get("minimum"), field.get("maximum")
    found = []
    if "exclusiveMinimum" in field:
        found.append(f"above {field['exclusiveMinimum']:g}")
    if low is not None and high is not None:
        found.append(f"{low:,g} to {high:,g}" if high < 1e6 else f"{low:,g} to {int(high):,}")
    elif high is not None:
        found.append(f"at most {high:,g}")
    for key, unit in (("maxLength", "characters"), ("maxItems", "entries"), ("maxProperties", "entries")):
        if key in field:
            found.append(f"at most {field[key]:,} {unit}")
    return ", ".join(dict.fromkeys(found)) or "–"


def _meaning(name: str, key: str, field: Mapping[str, Any]) -> str:
    nested = (option["description"] for option in field.get("anyOf", ()) if "description" in option)
    meaning = field.get("description") or next(nested, None)
    if not meaning:
        raise ValueError(f"{name}.{key} has no description: give its field one, for the reference of the format.")
    return str(meaning)


def _example(key: str, field: Mapping[str, Any], values: list[Any]) -> str:
    """Return the shortest use of a key that is not its default, as a line of YAML; else where to look for one."""
    lines = {_flow(key, value) for value in values if value is not None and value != field.get("default")}
    short = (line for line in lines if "\n" not in line and len(line) <= LONGEST_EXAMPLE)
    best = min(short, key=lambda line: (len(line), line), default=None)
    if best is not None:
        return f"`{best}`"
    if key in PLACES.values() or key == "rules":
        return f"see [{key}](#{key})"
    return f"`{key}: {field['default']}`" if "default" in field else "see below"


def _flow(key: str, value: Any) -> str:
    return yaml.safe_dump({key: value}, default_flow_style=True, allow_unicode=True, width=10_000).strip()[1:-1]


def find_uses(document: str) -> dict[tuple[str, str], list[Any]]:
    """Collect model and key → the values that the catalogs of the document and the demos give it."""
    texts = [*re.findall(r"```yaml\n(.*?)```", document, re.DOTALL), *(path.read_text("utf-8") for path in DEMOS)]
    uses: dict[tuple[str, str], list[Any]] = {}
    for text in texts:
        for model, key, value in _walk("Catalog", yaml.safe_load(text)):
            uses.setdefault((model, key), []).append(value)
    return uses


def _walk(model: str, entry: Any) -> Iterator[tuple[str, str, Any]]:
    if not isinstance(entry, Mapping):
        return
    for key, value in entry.items():
        yield model, key, value
        if key in ("value", "of", "besides"):
            yield from _walk_kind(value if key != "besides" else {"kind": "pattern", **value})
    for key, inner in _WITHIN.get(model, ()):
        found = entry.get(key) or {}
        entries = [found] if inner in _SINGLE else found.values() if isinstance(found, Mapping) else found
        for one in entries:
            yield from _walk(inner, one)


def _walk_kind(value: Any) -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, Mapping) and value.get("kind") in KINDS:
        yield from _walk(KINDS[value["kind"]].__name__, value)


def main(arguments: list[str]) -> int:
    """Write the tables, or with `--check` say whether they are up to date."""
    document = DOCUMENT.read_text(encoding="utf-8")
    wanted = write_tables(document)
    if wanted == document:
        return 0
    if "--check" in arguments:
        print("Out of date: docs/catalog-reference.md. Run `make tables`.", file=sys.stderr)
        return 1
    DOCUMENT.write_text(wanted, encoding="utf-8")
    print("wrote docs/catalog-reference.md")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
