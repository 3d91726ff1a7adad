"""What a fact's value may be: one class a kind, each of which reads, checks and shows its values.

A value is plain JSON (text, number, boolean, or an object for pictures, tables and charts), so that it can be
kept in the event log as it is. Money is text with two decimals, a date is ISO 8601 text, a phone number is E.164
text: nothing is lost between reading and showing.
"""
