"""The product's modules as their sources give them: lines, classes and imports. Nothing of the product is imported."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("catalog", "planning", "explain", "language", "dialogue", "pages")
"""The packages of the product, in the direction of imports; one that does not exist is passed over."""
_BLANK = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


@dataclass(frozen=True)
class Module:
    """A Python file of the product under its dotted name."""

    name: str
    path: Path
    text: str

    @property
    def package(self) -> str:
        """Return the top-level package."""
        return self.name.partition(".")[0]

    @property
    def is_init(self) -> bool:
        """Return whether this is the `__init__` of a package."""
        return self.path.name == "__init__.py"

    @cached_property
    def tree(self) -> ast.Module:
        """Return the syntax tree."""
        return ast.parse(self.text, filename=str(self.path))

    @property
    def lines(self) -> int:
        """Return the number of lines of the file."""
        return len(self.text.splitlines())

    @property
    def code(self) -> int:
        """Return the number of lines without docstrings (also those of attributes), comments and blank lines."""
        lines: set[int] = set()
        for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
            if token.type not in _BLANK:
                lines.update(range(token.start[0], token.end[0] + 1))
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Expr) and _is_text(node.value):
                lines.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        return len(lines)

    @property
    def public_classes(self) -> list[str]:
        """Return the names of the classes at the top of the module that do not begin with an underscore."""
        classes = [node.name for node in self.tree.body if isinstance(node, ast.ClassDef)]
        return [name for name in classes if not name.startswith("_")]

    def imported(self) -> Iterator[tuple[str, str]]:
        """Yield each absolute import as (module, name); the name is empty for `import module`.

        Imports inside functions and under TYPE_CHECKING count like all others.
        """
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((alias.name, "") for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                source = self._absolute(node)
                yield from ((source, alias.name) for alias in node.names)

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        base = parts[: len(parts) - node.level + self.is_init]
        return ".".join([*base, *filter(None, [node.module])])


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def read_product(root: Path = ROOT) -> dict[str, Module]:
    """Return the product's modules by name, `app.py` last."""
    files = [path for package in PACKAGES for path in sorted((root / package).rglob("*.py"))]
    named = ((_name(path, root), path) for path in [*files, root / "app.py"])
    modules = (Module(name, path, path.read_text(encoding="utf-8")) for name, path in named)
    return {module.name: module for module in modules}


def _name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def read_imports(modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """Return the product modules that each module imports.

    A name that an `__init__` imports and passes on counts as imported from the module that defines it.
    """
    passed_on = {
        (module.name, name): (source, name)
        for module in modules.values()
        if module.is_init
        for source, name in module.imported()
    }

    def find(source: str, name: str) -> str:
        if (inner := f"{source}.{name}") in modules:
            return inner
        return find(*passed_on[source, name]) if (source, name) in passed_on else source

    return {
        module.name: {find(*pair) for pair in module.imported()} & modules.keys() - {module.name}
        for module in modules.values()
    }
