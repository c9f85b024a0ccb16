"""What the command line does beyond running claims: compiling kernels, making and checking chapters."""
