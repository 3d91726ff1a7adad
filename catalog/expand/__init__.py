"""Expand a catalog: instances become facts and skills of their own, skills for one item are mapped over lists."""
