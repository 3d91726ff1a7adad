"""Words of the page on which people talk in rooms."""

from __future__ import annotations

NO_SUCH_ROOM = "There is no such room here"
NO_SUCH_ROOM_WORDS = (
    "The link may be mistyped, or the room was deleted. Rooms are stored on the computer on which they were opened."
)
SECTIONS = {"conversation": "Conversation", "norms": "Norms over time", "workshop": "Change the norms"}

NO_ROOMS = "No rooms yet"
NO_ROOMS_WORDS = (
    "In a room several people and bots talk. Norms say who must, may and must not speak; each message is checked "
    "against them before it is posted. Open one, and share its link."
)
HOW_TO_JOIN = "Join to talk. Others see this name beside what you say."
NAME_TAKEN_BY_BOT = "That is the name of a bot in this room. Please take another."
NAME_HERE = "{name} is in the room already. If that is you, press Join again. Otherwise please take another name."
NO_NAME = "Please type a name."
LOOKING_ON = "You are looking on. What is private is not shown to you."

NORMS_EMPTY = "No norm was in force yet"
NORMS_EMPTY_WORDS = "As soon as a message activates one, it is drawn here."
NOT_GOVERNED = "Nothing is checked in this room: everybody may say anything at any time."
LOBBY = "several people and bots, under norms"
LOBBY_SECTIONS = {"rooms": "Rooms", "workshop": "Write norms"}
OWN_FILE = "a file of your own"
UNREADABLE_FILE = "The file is not text in UTF-8. Save it as such, and choose it again."
WITHOUT_NORMS = "Without the check, every message is posted: see what norms are good for."

EDITOR = "Norms, as YAML"
LOADS = "It loads."
FAULTS = "It does not load"
CHECKING = "Checking what can happen"
CHECKING_WORDS = "All message sequences are walked; go on writing meanwhile."
NO_FINDING = "No finding"
SHOW_STEPS = "The shortest way to it"
REPLAY_EMPTY = "Nothing to replay yet"
REPLAY_EMPTY_WORDS = "As soon as something was said in the room, it is judged again here under the norms beside it."
REPLAY_HOW = (
    "Each message of the room is judged again under the norms as they stand in the editor. What was denied in the room "
    "is judged, too; what bots would have said instead is not known."
)

KINDS = {"obligation": "must", "permission": "may", "prohibition": "must not"}
ENDINGS = {"": "still in force", "switched_off": "ended by a transition", "met": "met", "unmet": "not met"}
IN_FORCE = "still in force"
STANDING = "Always in force"

NO_NORM_FORBIDS = "no norm is against it"
NO_NORM_ALLOWS = "no norm lets it"
EXCEPT = "except"
ALLOWED_TOO = "also allowed:"
GONE_MESSAGE = "There is no such message here, or it has not been checked yet."
GONE_RECEIVER = "{names} left, so nothing was sent. Choose again whom it is for. You wrote: {text}"
PRIVATELY_ASKED = "{name} has asked you something in private: what you say next goes to {name} alone."
