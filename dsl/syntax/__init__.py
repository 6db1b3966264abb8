"""From text to a tree: lines, words, sentences, and how to read on behind a broken one."""
