"""The claims of the chapter on weak and strong learning."""
