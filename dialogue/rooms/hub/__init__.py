"""The hub of a room: what comes in is judged in one order, and what is posted is shown to all bots."""

from dialogue.rooms.hub.admission import Receipt, RoomLimits
from dialogue.rooms.hub.clock import RoomClock
from dialogue.rooms.hub.hub import Hub
