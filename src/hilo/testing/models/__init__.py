"""Models for tests: a scripted one in memory, and servers that speak the providers' protocols on loopback."""
