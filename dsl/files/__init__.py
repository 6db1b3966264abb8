"""Files of the user's machine: folders looked through, files written whole, and what is kept between runs."""
