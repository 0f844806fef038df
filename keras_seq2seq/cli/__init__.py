"""The command line, one command a file: `keras-seq2seq --help`."""
