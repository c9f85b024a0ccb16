"""The data sets: a name, the files with their checksums, the function that reads them.

A checksum is that of the file as it is used, after unpacking: copies that were packed differently are the same data.
Those of isolet are of its values, in the form that `canonical_isolet` gives them: they were compared with three copies,
and the text of the archive's own file was not at hand.

The UCI data sets are those of Merz and Murphy's repository of machine learning databases (1998), now under the licence
CC BY 4.0; ``cite`` names who gave them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mcbook.experiments.parsing import Words, read_words
from mcbook.experiments.tables import (
    Table,
    canonical_isolet,
    read_audiology,
    read_dermatology,
    read_ecoli,
    read_glass,
    read_isolet,
    read_letter,
    read_pendigits,
    read_satimage,
    read_segmentation,
    read_soybean,
    read_thyroid,
    read_vowel,
    read_yeast,
)

_UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases/"


@dataclass(frozen=True)
class Source:
    """One file: its path within the folder of the data, the checksum of its content, its size, and where it is.

    ``canonical`` makes of the unpacked content what is read, and of which checksum and size are; None leaves it alone.

    >>> Source("uci/x.data", "0" * 64, 10, "https://example.org/x.data").canonical is None
    True
    """

    path: str
    sha256: str
    n_bytes: int
    url: str
    canonical: Callable[[bytes], bytes] | None = None


@dataclass(frozen=True)
class Dataset:
    """A data set: what to cite, its files, and ``read``, which makes arrays of what is in them.

    >>> DATASETS["glass"].says, [source.path for source in DATASETS["glass"].files]
    ('214 pieces of glass of six kinds', ['uci/glass/glass.data'])
    """

    name: str
    says: str
    cite: str
    files: tuple[Source, ...]
    read: Callable[..., Table | Words]


def _uci(path: str, sha256: str, n_bytes: int, at: str, canonical: Callable[[bytes], bytes] | None = None) -> Source:
    return Source(f"uci/{path}", sha256, n_bytes, _UCI + at, canonical)


DATASETS = {
    dataset.name: dataset
    for dataset in (
        Dataset(
            "letters",
            "6877 handwritten words without their first letters: 52152 letters of 16 x 8 pixels, in ten folds",
            "B. Taskar, C. Guestrin and D. Koller (2003), from R. Kassel",
            (
                Source(
                    "ocr/letter.data",
                    "535363d0b7bc34246b1f8731719540f526b6807b12dda5d430d011d160bc7882",
                    14557249,
                    "https://ai.stanford.edu/~btaskar/ocr/letter.data.gz",
                ),
            ),
            read_words,
        ),
        Dataset(
            "dermatology",
            "366 patients with one of six diseases of the skin",
            "N. Ilter and H. A. Guvenir (1998)",
            (
                _uci(
                    "dermatology/dermatology.data",
                    "455eba77f72cd087ce54a5a266c514c5f34e85000c8689ad09e796d68ad45742",
                    25964,
                    "dermatology/dermatology.data",
                ),
            ),
            read_dermatology,
        ),
        Dataset(
            "satimage",
            "6435 places on pictures of a satellite, with six kinds of soil",
            "A. Srinivasan, Statlog (1993)",
            (
                _uci(
                    "satimage/sat.trn",
                    "e896dc88a960fa2404160fc4c3cb3dc53fcf4afd80ba920bf2d261bd42d12613",
                    525830,
                    "statlog/satimage/sat.trn",
                ),
                _uci(
                    "satimage/sat.tst",
                    "4b9167b8a92baafafed7c8809aef86d0683a5e685c19d98d119fa6974f0f2479",
                    236745,
                    "statlog/satimage/sat.tst",
                ),
            ),
            read_satimage,
        ),
        Dataset(
            "glass",
            "214 pieces of glass of six kinds",
            "B. German and V. Spiehler (1987)",
            (
                _uci(
                    "glass/glass.data",
                    "dd67373f4baf2807345df02cbfef2093d342e61ad0d82a4fb79af43ef8ce449d",
                    11903,
                    "glass/glass.data",
                ),
            ),
            read_glass,
        ),
        Dataset(
            "segmentation",
            "2310 regions of outdoor pictures, showing one of seven things",
            "Vision Group, University of Massachusetts (1990)",
            (
                _uci(
                    "segmentation/segmentation.data",
                    "ed5b5aee8081bbe875357149f73f50d7085e22cc0897f5b52eb7b52fea969a5b",
                    34842,
                    "image/segmentation.data",
                ),
                _uci(
                    "segmentation/segmentation.test",
                    "2e9e966479d54c6aaec309059376dd9c89c1b46bf3a23aceeefb36d20d93a189",
                    345084,
                    "image/segmentation.test",
                ),
            ),
            read_segmentation,
        ),
        Dataset(
            "ecoli",
            "336 proteins of a bacterium, in eight places of the cell",
            "K. Nakai and P. Horton (1996)",
            (
                _uci(
                    "ecoli/ecoli.data",
                    "008bd8fbb1d8b34040c3c8c4e987cac2a7ebf116e008b140cc6441be5261ba1d",
                    19488,
                    "ecoli/ecoli.data",
                ),
            ),
            read_ecoli,
        ),
        Dataset(
            "pendigits",
            "10992 digits written with a pen on a tablet",
            "E. Alpaydin and F. Alimoglu (1998)",
            (
                _uci(
                    "pendigits/pendigits.tra",
                    "e2b9eb9f0d0467e2b64a4816a3420edf2b8043447576f4b84337aba44a9f97d3",
                    502098,
                    "pendigits/pendigits.tra",
                ),
                _uci(
                    "pendigits/pendigits.tes",
                    "8bd03229c5c5291fefe43e45465dd948d2645bf23328b9d993e0b777666b2015",
                    234366,
                    "pendigits/pendigits.tes",
                ),
            ),
            read_pendigits,
        ),
        Dataset(
            "yeast",
            "1484 proteins of yeast, in ten places of the cell",
            "K. Nakai and P. Horton (1996)",
            (
                _uci(
                    "yeast/yeast.data",
                    "7cf61776fc04f527f93bf57a327b863893a1225d82df02d457e8950173218258",
                    94976,
                    "yeast/yeast.data",
                ),
            ),
            read_yeast,
        ),
        Dataset(
            "vowel",
            "990 vowels of 15 speakers",
            "D. Deterding, M. Niranjan and T. Robinson (1989)",
            (
                _uci(
                    "vowel/vowel-context.data",
                    "1e5c40bdd0b6705c75586eb23f5d9c3078e9588f48bc5c2c98da219fe83fff29",
                    73565,
                    "undocumented/connectionist-bench/vowel/vowel-context.data",
                ),
            ),
            read_vowel,
        ),
        Dataset(
            "soybean",
            "683 sick soybeans with one of 19 diseases",
            "R. S. Michalski and R. L. Chilausky (1980)",
            (
                _uci(
                    "soybean/soybean-large.data",
                    "04b99f2728ded9f544022d2b4f6cce0ebe11ef5c9d44f10e21acd7093876507e",
                    26643,
                    "soybean/soybean-large.data",
                ),
                _uci(
                    "soybean/soybean-large.test",
                    "ff1c5f5c41ddc9a8e3746648a2fe5cafb6b0eef86bd49575decbb665e1b6a104",
                    32572,
                    "soybean/soybean-large.test",
                ),
            ),
            read_soybean,
        ),
        Dataset(
            "thyroid",
            "9172 records of a laboratory for the thyroid, with 20 classes of diagnoses",
            "R. Quinlan, Garvan Institute (1987)",
            (
                _uci(
                    "thyroid/thyroid0387.data",
                    "4a20d104d4607afd7b1a477af5aa4381a2027f36cc7027f44bc2bd5a50c6724d",
                    772576,
                    "thyroid-disease/thyroid0387.data",
                ),
            ),
            read_thyroid,
        ),
        Dataset(
            "audiology",
            "226 patients who hear badly, with one of 24 diagnoses",
            "Professor Jergen, Baylor College of Medicine; standardised by R. Quinlan (1992)",
            (
                _uci(
                    "audiology/audiology.standardized.data",
                    "5d140302ee673176d7e63dd735e2c15e9b39ff0dfce5786f38db65dc5346b549",
                    38788,
                    "audiology/audiology.standardized.data",
                ),
                _uci(
                    "audiology/audiology.standardized.test",
                    "5a46eaacefa15e7f9d45542dfff546727f55124ad8ec9f336ea15dd68903162d",
                    5153,
                    "audiology/audiology.standardized.test",
                ),
            ),
            read_audiology,
        ),
        Dataset(
            "isolet",
            "7797 letters of the alphabet spoken by 150 people",
            "R. Cole and M. Fanty (1994)",
            (
                _uci(
                    "isolet/isolet1+2+3+4.data",
                    "e4be5a65d8a9398d28406a12ce109b15d7d47a45dd456a5499c33121f235b315",
                    15420336,
                    "isolet/isolet1+2+3+4.data.Z",
                    canonical=canonical_isolet,
                ),
                _uci(
                    "isolet/isolet5.data",
                    "0718f3f89e9ec7782dded8c451d30ca9aea8401dcc286d7ad282630c08c6a41d",
                    3853848,
                    "isolet/isolet5.data.Z",
                    canonical=canonical_isolet,
                ),
            ),
            read_isolet,
        ),
        Dataset(
            "letter",
            "20000 printed letters, distorted at random",
            "D. J. Slate (1991)",
            (
                _uci(
                    "letter/letter-recognition.data",
                    "2b89f3602cf768d3c8355267d2f13f2417809e101fc2b5ceee10db19a60de6e2",
                    712565,
                    "letter-recognition/letter-recognition.data",
                ),
            ),
            read_letter,
        ),
    )
}
