"""A month of thousands of contacts in virtual time, with a process that is killed again and again."""
