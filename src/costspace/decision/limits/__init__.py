"""What keeping to limits costs over a range of prevalence."""
