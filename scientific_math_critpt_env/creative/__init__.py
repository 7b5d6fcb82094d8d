"""CreativeMath: new solutions to problems with known ones; generation, three stages of judging, ratios."""
