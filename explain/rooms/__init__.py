"""Explanations of rooms: who may speak, what was denied and why, from the record alone."""

from explain.rooms.answers import RoomExplanation, explain_room
from explain.rooms.record import RoomQuestion, RoomQuestionKind, RoomRecord

__all__ = ["RoomExplanation", "RoomQuestion", "RoomQuestionKind", "RoomRecord", "explain_room"]
