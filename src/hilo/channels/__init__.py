"""Where contacts write: each channel reads its webhooks and sends its messages; none knows another."""
