"""What recognisers of one kind each find in a text; they know nothing of agents and sessions."""
