"""What was learnt from the corpus: linear classifiers over hashed words and pieces of words."""
