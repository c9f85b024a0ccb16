"""Mutation testing: small errors put into the package on purpose, each of which some claim or test has to notice.

Read in this order: ``operators`` (what is changed), ``equivalents`` (changes that change nothing), ``place`` (how a
change gets into the running package), ``killers`` (what may notice it), ``run`` (the trial of a sample), ``report``.
"""
