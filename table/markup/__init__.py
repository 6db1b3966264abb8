"""SVG and HTML as a tree of elements: escaped where it is written, and nowhere else."""
