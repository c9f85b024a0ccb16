"""The UCI data sets: how small files in their formats are read, and, where the data are, what comes of these."""

import hashlib
import os

import numpy as np
import pytest

from mcbook.experiments import DATASETS, attributes, load, tables
from mcbook.experiments.data import FOLDER

with_data = pytest.mark.skipif(not os.environ.get(FOLDER), reason=f"{FOLDER} names no folder with the data sets")


def lines(*rows):
    return "".join(f"{row}\n" for row in rows).encode()


def joined(values, separator=","):
    return separator.join(map(str, values))


def test_dermatology_has_ages_that_nobody_wrote_down():
    degrees = [n % 4 for n in range(33)]
    degrees[10] = 1
    table = tables.read_dermatology(lines(joined([*degrees, 55, 2]), joined([*degrees, "?", 1])))
    assert table.X[0].tolist() == [*degrees, 55]
    assert np.isnan(table.X[1, 33])
    assert table.n_missing == 1
    assert (table.y.tolist(), table.labels.tolist()) == ([2, 1], [1, 0])
    assert [name for name, nominal in zip(table.names, table.nominal, strict=True) if nominal] == ["family history"]
    assert table.test is None


def test_satimage_has_two_files_and_no_class_6():
    first, second = joined([*range(36), 7], " "), joined([*range(36, 72), 1], " ")
    table = tables.read_satimage(lines(first), lines(second, second))
    assert table.X[1].tolist() == list(range(36, 72))
    assert table.y.tolist() == [7, 1, 1]
    assert table.classes.tolist() == [1, 7]
    assert table.test.tolist() == [False, True, True]
    assert table.names[16] == "pixel 5 band 1"


def test_glass_drops_the_number_of_the_example():
    table = tables.read_glass(lines("7,1.5,2,3,4,5,6,7,8,9,1", "8,1.6,2,3,4,5,6,7,8,0.5,7"))
    assert table.X.tolist() == [[1.5, 2, 3, 4, 5, 6, 7, 8, 9], [1.6, 2, 3, 4, 5, 6, 7, 8, 0.5]]
    assert table.y.tolist() == [1, 7]
    assert table.X.flags.c_contiguous


def test_segmentation_has_names_in_its_header_and_the_class_first():
    names = [f"PART-{n}" for n in range(19)]
    head = (";;; a comment", ";;; another", "", joined(names), "")
    table = tables.read_segmentation(
        lines(*head, joined(["SKY", *range(19)])), lines(*head, joined(["PATH", *range(19)]))
    )
    assert table.X.tolist() == [list(range(19))] * 2
    assert table.y.tolist() == ["SKY", "PATH"]
    assert table.names[18] == "part-18"
    assert table.test is None


@pytest.mark.parametrize(("read", "n"), [(tables.read_ecoli, 7), (tables.read_yeast, 8)])
def test_proteins_lose_their_names(read, n):
    table = read(lines("AAT_X  " + joined([f"0.{j}" for j in range(n)], "  ") + "   cp", "B" + " 1.00" * n + " im"))
    assert table.X[0].tolist() == [j / 10 for j in range(n)]
    assert table.classes[table.labels].tolist() == ["cp", "im"]


def test_pendigits_pads_its_numbers_with_blanks():
    row = joined([f"{n:3d}" for n in range(90, 106)]) + ", 8"
    table = tables.read_pendigits(lines(row), lines(row))
    assert table.X.tolist() == [list(range(90, 106))] * 2
    assert (table.y.tolist(), table.test.tolist()) == ([8, 8], [False, True])
    assert table.names[:3] == ("x 1", "y 1", "x 2")


def test_vowel_says_in_each_row_whether_it_is_for_test():
    table = tables.read_vowel(lines("0 3 1 " + "-0.5 " * 10 + " 4", "1 14 0 " + "0.25 " * 10 + " 10"))
    assert table.X.tolist() == [[-0.5] * 10, [0.25] * 10]
    assert (table.y.tolist(), table.test.tolist()) == ([4, 10], [False, True])


def test_soybean_has_codes_whose_meaning_is_known():
    codes = [6, 0, 2, *["?"] * 31, 1]
    table = tables.read_soybean(lines(joined(["brown-spot", *codes])), lines(joined(["charcoal-rot", *[0] * 35])))
    assert table.X[0, [0, 1, 2, 34]].tolist() == [6, 0, 2, 1]
    assert table.n_missing == 31
    assert table.nominal.all()
    assert (table.names[0], table.categories[0][6]) == ("date", "october")
    assert (table.y.tolist(), table.test.tolist()) == (["brown-spot", "charcoal-rot"], [False, True])


@pytest.mark.parametrize(("code", "label"), [("-", "-"), ("AK", "A"), ("C|I", "C"), ("S", "S")])
def test_thyroid_takes_the_first_letter_of_the_diagnosis(code, label):
    table = tables.read_thyroid(
        lines(f"65511,F,t,{joined('f' * 13)},t,0.3,f,?,f,?,f,?,f,?,f,?,other,{code}[840801013]")
    )
    assert table.y.tolist() == [label]
    row = dict(zip(table.names, table.X[0].tolist(), strict=True))
    assert (row["age"], row["sex"], row["on thyroxine"], row["TSH"]) == (65511, 1, 1, 0.3)
    assert (row["psych"], row["TSH measured"], row["referral source"]) == (0, 1, 5)
    assert np.isnan([row[name] for name in ("T3", "TT4", "T4U", "FTI", "TBG")]).all()
    assert table.nominal.sum() == 22


def test_audiology_drops_the_number_of_the_case():
    given = {"age_gt_60": "t", "air()": "severe", "tymp()": "ad"}
    case = joined(
        [*(given.get(name, "?" if "()" in name else "f") for name in attributes.AUDIOLOGY), "p1", "normal_ear"]
    )
    table = tables.read_audiology(lines(case), lines(case.replace("severe", "?").replace("p1", "t1")))
    assert table.X[0, :3].tolist() == [1, 2, 0]
    assert np.isnan(table.X[1, 1])
    assert (table.names[65], table.categories[65][int(table.X[0, 65])]) == ("tymp()", "ad")
    assert (table.y.tolist(), table.test.tolist()) == (["normal_ear"] * 2, [False, True])


def test_a_category_that_is_not_declared_is_no_data():
    case = joined(["t", "loud", *["f"] * 67, "p1", "normal_ear"])
    with pytest.raises(KeyError, match="loud"):
        tables.read_audiology(lines(case), lines(case))


def test_isolet_is_the_same_however_it_is_laid_out():
    rows = [[-0.4394, 1.0, *[0.0001] * 615, 26], [0.07, -1.0, *[0.1234] * 615, 3]]
    spaced = lines(*(joined([*(f"{v:.4f}" for v in row[:-1]), f"{row[-1]}."], ", ") for row in rows))
    tight = lines(*map(joined, rows)).replace(b"\n", b"\r\n")
    assert tables.canonical_isolet(spaced) == tables.canonical_isolet(tight)
    table = tables.read_isolet(tables.canonical_isolet(spaced), tables.canonical_isolet(lines(joined(rows[0]))))
    assert table.X.tolist() == [rows[0][:-1], rows[1][:-1], rows[0][:-1]]
    assert (table.y.tolist(), table.test.tolist()) == ([26, 3, 26], [False, False, True])


@pytest.mark.parametrize(
    ("content", "match"),
    [(b"0.1, 0.2\n", "no rows of 618"), (b"0.12345, " * 617 + b"1.\n", "four decimals"), (b"a", "could not convert")],
)
def test_what_cannot_be_isolet_is_refused(content, match):
    with pytest.raises(ValueError, match=match):
        tables.canonical_isolet(content)


def test_letter_begins_its_test_set_at_row_16000(monkeypatch):
    monkeypatch.setattr(tables, "_LETTER_TRAINING", 2)
    table = tables.read_letter(lines(*(joined([letter, *range(16)]) for letter in "TIN")))
    assert table.X.tolist() == [list(range(16))] * 3
    assert (table.y.tolist(), table.test.tolist()) == (["T", "I", "N"], [False, False, True])


def test_a_row_with_another_number_of_fields_is_refused():
    with pytest.raises(ValueError, match="zip"):
        tables.read_letter(lines(joined(["T", *range(15)])))


# Of all values and labels.
CHECKSUMS = {
    "dermatology": "ced8069b17dc4fd0",
    "satimage": "2152e3b71542178c",
    "glass": "66884ffc63a261a9",
    "segmentation": "fc48683cda85d472",
    "ecoli": "e7bada5194b30c97",
    "pendigits": "17147845ca6d0696",
    "yeast": "d31aea56e7fd3bc4",
    "vowel": "ca515b3d9bfd39c3",
    "soybean": "2304edad33ce48b3",
    "thyroid": "6c57ae87e2d069f1",
    "audiology": "1b48d018741dfafe",
    "isolet": "b7661a56f96d3678",
    "letter": "19d01463ecc357bb",
}


@with_data
@pytest.mark.parametrize("name", CHECKSUMS)
def test_the_real_files_give_the_values_that_they_gave_before(name):
    table = load(name)
    values = np.nan_to_num(table.X, nan=-1e6).astype("<f8").tobytes() + table.labels.astype("<i8").tobytes()
    assert hashlib.sha256(values).hexdigest()[:16] == CHECKSUMS[name]


def test_every_data_set_is_read_again():
    assert set(CHECKSUMS) == set(DATASETS) - {"letters"}
