"""Norms of a room: who must, may and must not speak. Values alone; they are judged in `dialogue.rooms`."""

from catalog.norms.message import Message, Utterance
from catalog.norms.model import NormSpecification
