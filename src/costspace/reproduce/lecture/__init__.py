"""I2ML, Evaluation: cost curves (lecture), after Drummond and Holte (2006), Machine Learning 65."""
