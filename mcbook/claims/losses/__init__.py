"""The claims of the chapter on losses."""
