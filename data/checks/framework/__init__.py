"""What runs the checks: registry, gold, comparison, report."""
