"""Who does the work: turns, deliveries, and the sweep that finds what no alarm woke."""
