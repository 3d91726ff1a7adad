"""Explanations of rooms: who may speak, what was denied and why, from the record alone."""

from explain.rooms.answers import answer_about_room, explain_room
from explain.rooms.record import RoomQuestion, RoomQuestionKind, RoomRecord
