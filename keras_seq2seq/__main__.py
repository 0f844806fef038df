from keras_seq2seq.cli.main import main

main()
