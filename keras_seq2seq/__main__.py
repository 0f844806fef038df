from keras_seq2seq_command import main

main()
