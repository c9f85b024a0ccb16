"""What every chapter stands on; it knows no chapter.

- ``vocabulary``: the one word for each choice and parameter; read it before naming an argument
- ``types``: what signatures call their arguments
- ``proof``: how strongly a thing is known, and numbers that know it of themselves (`Known`)
- ``numbers``, ``arithmetic``: exact numbers, and one formula for four kinds of them
- ``checks``: what functions ask of their arguments
- ``distributions``: finite distributions, on which every probability is a fraction
- ``linear``, ``blas``: products, systems, Gram matrices, and the threads under them
- ``programs``: convex programs with certificates, that of the multi-class SVMs among them
- ``estimators``: what the scikit-learn classifiers share
- ``answers``: what a checker of an exercise asks, and what it calls a feedback
- ``pages``, ``figures``: tables and sources for the book's pages, one look for its figures
- ``compiled``, ``threads``, ``progress``, ``lazy``: compiled loops, their pieces in threads, a bar for fits that are
  long, and packages that load on first use
"""
