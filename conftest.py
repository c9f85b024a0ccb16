"""Only here may pytest be told of a plug-in: the notebooks it runs lie in book/, outside of tests/."""

pytest_plugins = ["notebook_plugin"]
