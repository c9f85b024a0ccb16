"""What developers run: the environment, the lock, the static checks, the notebooks; nothing of it is in the wheel."""
