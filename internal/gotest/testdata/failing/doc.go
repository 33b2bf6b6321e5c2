package failing
