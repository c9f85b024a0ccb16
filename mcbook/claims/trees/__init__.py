"""The claims of the chapter on trees."""
