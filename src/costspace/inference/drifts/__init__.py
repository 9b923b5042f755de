"""What has changed between two samples of one model's scores."""
