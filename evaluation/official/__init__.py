"""The official scorer of SemEval-2007 Task 10, to the byte.

McCarthy and Navigli's Perl script (final version, April 2007) decides what every published
figure of the task means, defects included.  This package reads files as it reads them,
counts as it counts and prints as it prints; :func:`lexsub.evaluation.official.report.official` is
the whole of it as one call.  Our own measures, under documented policies, are elsewhere in
``evaluation``.

Files are read as bytes in Latin-1, because the script's patterns are ASCII and its output
repeats the bytes of its input.
"""
