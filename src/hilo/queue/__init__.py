"""The alarm clock: says when an address has work; the tables say which."""
