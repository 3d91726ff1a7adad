"""Conversations in which people refuse, doubt, suppose, ask, take back and start over: is anything done unmeant?"""
