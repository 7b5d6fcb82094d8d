"""Evaluation runs: generate, freeze, merge, replay and compare, so that a figure can be made again.

A run is a folder: `manifest.json`, `snapshots/` (what went in), `raw/` (what the model said, in shards) and,
after replay, `parsed/<contract>/`. Nothing after generation ever writes to `raw/`.
"""
