package main

// Internal/attack puts a file in the place of this one, with a line for every exported
// function, type and value.
