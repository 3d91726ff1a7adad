"""What stands around the names of persons, and shows that they are ones, or whose they are not."""

from __future__ import annotations

import re

from dialogue.understanding.requests.name_words import TITLES

TITLE = re.compile(rf"\b(?:{'|'.join(sorted(TITLES))})\b\.?\s+", re.IGNORECASE)
_WHO = (
    r"customers?|clients?|cust\.?|buyers?|guests?|members?|patients?|tenants?|students?|friend|neighbou?r|cousin|sister"
    r"|brother|sister-in-law|brother-in-law|uncle|aunt|lady|guy|man|woman|gentleman"
)
CUE = re.compile(
    rf"(?:\b(?:{_WHO}|named|called|goes by|name is|name['’]s|name:|names?|profiles?(?: (?:of|for|is))?"
    r"|(?:customer|client) (?:info|details|record|account)|(?:customer|client|contact|profile|person)s?:)"
    r"|\b(?:for|of)(?: (?:customer|client|our|my|new))*)\s*[:,-]?\s*$",
    re.IGNORECASE,
)
VERB = re.compile(
    r"\b(?:update|add|edit|change|modify|register|onboard|enter|amend|rename|create|put|save|sign(?:ed)? up)\s+$",
    re.IGNORECASE,
)
TO_THE_LIST = re.compile(
    rf"\s+(?:to|into|in|as|on)\s+(?:(?:our|my|the|a|an|new)\s+)*(?:{_WHO}|(?:customer|client)\b|contacts|books|crm|list)",
    re.IGNORECASE,
)
NOT_HERE = re.compile(
    r"(?:\b(?:the|an?|from|at|in|with|(?<!goes )by|via|through|using|on|near|inside|into|company|firm|product"
    r"|software|app|this is|i am|i['’]m|my name is|it['’]s|here is"
    r"|my (?:employee|assistant|manager|accountant|boss|partner|bookkeeper|colleague|co-?worker|secretary))"
    r"|\b(?:regards|thanks|thank you|best|cheers|yours|sincerely|love),?(?:\s+[a-z]+,)?|\b(?:hi|hello|hey|dear))\s*$",
    re.IGNORECASE,
)
TELLS = re.compile(
    r"\s+(?:here|says?|said|told|tells|asks?|asked|thinks|thought|wrote|writes|mentioned|reports?)\b", re.IGNORECASE
)
"""After whoever says something of a customer, and is none."""
DOES = re.compile(
    r"\s*(?:,\s*(?:he|she|they|who|whose)\b|(?:just|has|got|gets|wants?|needs?|moved|changed|is|became|would like)\b)",
    re.IGNORECASE,
)
POINTED_OUT = re.compile(r"\s+(?:who|whose|that)\b", re.IGNORECASE)
AND = re.compile(r"\s*,?\s*(?:and|&|or)\s+", re.IGNORECASE)
ENDS = re.compile(r"\s*(?:$|[,.;:!?(0-9-]|to\b|as\b|with\b|and\b)")
REACHED = re.compile(r"\s*[,:;(-]?\s*(?:\+?[(0-9]|(?:e-?mail|phone|tel|cell|mobile)\b)", re.IGNORECASE)
_PART = r"(?P<part>first|given|fore|last|family|sur)\s?names?\b"
FIELD = re.compile(
    rf"\b{_PART}(?:\s+(?:of|for)\s+[^,.;:]{{1,40}}?\s(?:is now|is|to|should be)"
    r"|\s*(?:is now|is|:|=|-|to|should be|changed to|becomes|as|of|,)?)\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
FIELD_AFTER = re.compile(
    rf"\s+(?:is|as|=)\s+(?:(?:the|his|her|their|a)\s+)?(?:customer['’]s\s+)?{_PART}(?!\s*(?:is|:|=))", re.IGNORECASE
)
OWNED = re.compile(
    r"['’]s?\s+(?:new |current |contact |customer |mobile |cell |(?:e-?)?mail |phone |telephone )*"
    r"(?:(?:e-?)?mail|phone|number|profile|contact|mobile|cell|telephone|info|information|details|record|data|address|account|name|entry)\b",
    re.IGNORECASE,
)
ADDRESS = re.compile(r"(?P<local>[^\s@<>(]{1,80})@\S+")
