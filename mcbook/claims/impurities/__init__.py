"""The claims of the chapter on impurities."""
