"""The families: one file, one class, registered by being imported (see docs/generating.md)."""
