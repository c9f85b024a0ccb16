"""The names of the attributes of the data sets, in the order of their files, and the values of nominal ones.

They are those of the descriptions that lie beside the files in their archive.
"""

from __future__ import annotations

from typing import TypeAlias

# The values of a nominal attribute in the order of their codes 0, 1, ....
Categories: TypeAlias = dict[str, tuple[str, ...]]

_NO_YES = ("f", "t")


def _numbered(word: str, n: int) -> tuple[str, ...]:
    return tuple(f"{word} {number}" for number in range(1, n + 1))


DERMATOLOGY = (
    *("erythema", "scaling", "definite borders", "itching", "koebner phenomenon", "polygonal papules"),
    *("follicular papules", "oral mucosal involvement", "knee and elbow involvement", "scalp involvement"),
    *("family history", "melanin incontinence", "eosinophils in the infiltrate", "PNL infiltrate"),
    *("fibrosis of the papillary dermis", "exocytosis", "acanthosis", "hyperkeratosis", "parakeratosis"),
    *("clubbing of the rete ridges", "elongation of the rete ridges", "thinning of the suprapapillary epidermis"),
    *("spongiform pustule", "munro microabcess", "focal hypergranulosis", "disappearance of the granular layer"),
    *("vacuolisation and damage of basal layer", "spongiosis", "saw-tooth appearance of retes"),
    *("follicular horn plug", "perifollicular parakeratosis", "inflammatory mononuclear infiltrate"),
    *("band-like infiltrate", "age"),
)
DERMATOLOGY_NOMINAL: Categories = {"family history": ("0", "1")}

SATIMAGE = tuple(f"pixel {pixel} band {band}" for pixel in range(1, 10) for band in range(1, 5))

GLASS = ("RI", "Na", "Mg", "Al", "Si", "K", "Ca", "Ba", "Fe")

ECOLI = ("mcg", "gvh", "lip", "chg", "aac", "alm1", "alm2")

PENDIGITS = tuple(f"{axis} {point}" for point in range(1, 9) for axis in "xy")

YEAST = ("mcg", "gvh", "alm", "mit", "erl", "pox", "vac", "nuc")

VOWEL = _numbered("feature", 10)

SOYBEAN_NOMINAL: Categories = {
    "date": ("april", "may", "june", "july", "august", "september", "october"),
    "plant-stand": ("normal", "lt-normal"),
    "precip": ("lt-norm", "norm", "gt-norm"),
    "temp": ("lt-norm", "norm", "gt-norm"),
    "hail": ("yes", "no"),
    "crop-hist": ("diff-lst-year", "same-lst-yr", "same-lst-two-yrs", "same-lst-sev-yrs"),
    "area-damaged": ("scattered", "low-areas", "upper-areas", "whole-field"),
    "severity": ("minor", "pot-severe", "severe"),
    "seed-tmt": ("none", "fungicide", "other"),
    "germination": ("90-100%", "80-89%", "lt-80%"),
    "plant-growth": ("norm", "abnorm"),
    "leaves": ("norm", "abnorm"),
    "leafspots-halo": ("absent", "yellow-halos", "no-yellow-halos"),
    "leafspots-marg": ("w-s-marg", "no-w-s-marg", "dna"),
    "leafspot-size": ("lt-1/8", "gt-1/8", "dna"),
    "leaf-shread": ("absent", "present"),
    "leaf-malf": ("absent", "present"),
    "leaf-mild": ("absent", "upper-surf", "lower-surf"),
    "stem": ("norm", "abnorm"),
    "lodging": ("yes", "no"),
    "stem-cankers": ("absent", "below-soil", "above-soil", "above-sec-nde"),
    "canker-lesion": ("dna", "brown", "dk-brown-blk", "tan"),
    "fruiting-bodies": ("absent", "present"),
    "external-decay": ("absent", "firm-and-dry", "watery"),
    "mycelium": ("absent", "present"),
    "int-discolor": ("none", "brown", "black"),
    "sclerotia": ("absent", "present"),
    "fruit-pods": ("norm", "diseased", "few-present", "dna"),
    "fruit-spots": ("absent", "colored", "brown-w/blk-specks", "distort", "dna"),
    "seed": ("norm", "abnorm"),
    "mold-growth": ("absent", "present"),
    "seed-discolor": ("absent", "present"),
    "seed-size": ("norm", "lt-norm"),
    "shriveling": ("absent", "present"),
    "roots": ("norm", "rotted", "galls-cysts"),
}
SOYBEAN = tuple(SOYBEAN_NOMINAL)

_THYROID_YES_NO = (
    *("on thyroxine", "query on thyroxine", "on antithyroid medication", "sick", "pregnant", "thyroid surgery"),
    *("I131 treatment", "query hypothyroid", "query hyperthyroid", "lithium", "goitre", "tumor", "hypopituitary"),
    "psych",
)
_THYROID_ASSAYS = ("TSH", "T3", "TT4", "T4U", "FTI", "TBG")
THYROID = (
    *("age", "sex", *_THYROID_YES_NO),
    *(name for assay in _THYROID_ASSAYS for name in (f"{assay} measured", assay)),
    "referral source",
)
THYROID_NOMINAL: Categories = (
    {"sex": ("M", "F"), "referral source": ("WEST", "STMW", "SVHC", "SVI", "SVHD", "other")}
    | dict.fromkeys(_THYROID_YES_NO, _NO_YES)
    | dict.fromkeys((f"{assay} measured" for assay in _THYROID_ASSAYS), _NO_YES)
)

AUDIOLOGY = (
    *("age_gt_60", "air()", "airBoneGap", "ar_c()", "ar_u()", "bone()", "boneAbnormal", "bser()"),
    *("history_buzzing", "history_dizziness", "history_fluctuating", "history_fullness", "history_heredity"),
    *("history_nausea", "history_noise", "history_recruitment", "history_ringing", "history_roaring"),
    *("history_vomiting", "late_wave_poor", "m_at_2k", "m_cond_lt_1k", "m_gt_1k", "m_m_gt_2k", "m_m_sn"),
    *("m_m_sn_gt_1k", "m_m_sn_gt_2k", "m_m_sn_gt_500", "m_p_sn_gt_2k", "m_s_gt_500", "m_s_sn", "m_s_sn_gt_1k"),
    *("m_s_sn_gt_2k", "m_s_sn_gt_3k", "m_s_sn_gt_4k", "m_sn_2_3k", "m_sn_gt_1k", "m_sn_gt_2k", "m_sn_gt_3k"),
    *("m_sn_gt_4k", "m_sn_gt_500", "m_sn_gt_6k", "m_sn_lt_1k", "m_sn_lt_2k", "m_sn_lt_3k", "middle_wave_poor"),
    *("mod_gt_4k", "mod_mixed", "mod_s_mixed", "mod_s_sn_gt_500", "mod_sn", "mod_sn_gt_1k", "mod_sn_gt_2k"),
    *("mod_sn_gt_3k", "mod_sn_gt_4k", "mod_sn_gt_500", "notch_4k", "notch_at_4k", "o_ar_c()", "o_ar_u()"),
    *("s_sn_gt_1k", "s_sn_gt_2k", "s_sn_gt_4k", "speech()", "static_normal", "tymp()", "viith_nerve_signs"),
    *("wave_V_delayed", "waveform_ItoV_prolonged"),
)
AUDIOLOGY_NOMINAL: Categories = dict.fromkeys(AUDIOLOGY, _NO_YES) | {
    "air()": ("mild", "moderate", "severe", "normal", "profound"),
    "ar_c()": ("normal", "elevated", "absent"),
    "ar_u()": ("normal", "absent", "elevated"),
    "bone()": ("mild", "moderate", "normal", "unmeasured"),
    "bser()": ("normal", "degraded"),
    "o_ar_c()": ("normal", "elevated", "absent"),
    "o_ar_u()": ("normal", "absent", "elevated"),
    "speech()": ("normal", "good", "very_good", "very_poor", "poor", "unmeasured"),
    "tymp()": ("a", "as", "b", "ad", "c"),
}

ISOLET = _numbered("feature", 617)

LETTER = (
    *("x-box", "y-box", "width", "high", "onpix", "x-bar", "y-bar", "x2bar", "y2bar", "xybar", "x2ybr", "xy2br"),
    *("x-ege", "xegvy", "y-ege", "yegvx"),
)
