"""What travels: the shapes of requests and answers, from which the OpenAPI schema is made."""
