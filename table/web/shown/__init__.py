"""What the web table shows: pages, and parts of pages."""
