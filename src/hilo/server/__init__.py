"""The HTTP edge: webhooks, the API and the chat page. It reaches a session only through its inbox."""
