"""Published tables rebuilt, as far as their inputs can be had."""
