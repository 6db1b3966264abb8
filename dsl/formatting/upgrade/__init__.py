"""From version 1 of the language to version 2: the only place where the old grammar lives on."""
