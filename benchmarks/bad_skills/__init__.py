"""What bad skills cost others."""
