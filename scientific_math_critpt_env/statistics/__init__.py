"""Statistics of runs: pass@k and its kin, intervals, paired tests, agreement of judges."""
