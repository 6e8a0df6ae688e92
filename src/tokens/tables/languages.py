"""The languages of the corpus: names in the packages, UDHR codes, scripts.

One row per class: the folder or package suffixes the language goes by, its
codes in the Universal Declaration, and the range of code points that marks a
text as translated (None for Latin letters).
"""

CYRILLIC = (0x400, 0x52F)
HAN = (0x3400, 0x9FFF)
ARABIC = (0x600, 0x6FF)
DEVANAGARI = (0x900, 0x97F)

# The languages among the twenty main classes.
MAIN = {
    "de": ("de de-DE", "deu_1996", None),
    "fr": ("fr fr-FR", "fra", None),
    "ru": ("ru ru-RU", "rus", CYRILLIC),
    "zh": ("zh zh-CN zh-cn zh_CN", "cmn_hans", HAN),
    "ja": ("ja ja-JP", "jpn", (0x3040, 0x9FFF)),
    "ko": ("ko ko-KR", "kor", (0xAC00, 0xD7A3)),
    "hi": ("hi hi-in", "hin", DEVANAGARI),
    "ar": ("ar ar-MA", "arb", ARABIC),
    "th": ("th", "tha tha2", (0xE00, 0xE7F)),
}

FURTHER = {
    "x_pt": ("pt pt-BR pt_BR pt-br pt-pt pt_PT br", "por_BR por_PT", None),
    "x_it": ("it it-IT", "ita", None),
    "x_es": ("es es-ES es-es", "spa", None),
    "x_nl": ("nl nl-NL", "nld", None),
    "x_cs": ("cs cs-CZ", "ces", None),
    "x_pl": ("pl pl-PL", "pol", None),
    "x_sv": ("sv sv-SE sv-se", "swe", None),
    "x_da": ("da da-DK", "dan", None),
    "x_nb": ("nb nb-no nb_NO nb-NO", "nob", None),
    "x_fi": ("fi", "fin", None),
    "x_hu": ("hu", "hun", None),
    "x_ro": ("ro ro-RO", "ron_2006", None),
    "x_sk": ("sk", "slk", None),
    "x_sl": ("sl", "slv", None),
    "x_hr": ("hr hr-HR", "hrv", None),
    "x_sr": ("sr", "srp_cyrl", CYRILLIC),
    "x_bg": ("bg", "bul", CYRILLIC),
    "x_mk": ("mk", "mkd", CYRILLIC),
    "x_uk": ("uk", "ukr", CYRILLIC),
    "x_kk": ("kk", "kaz", CYRILLIC),
    "x_lt": ("lt", "lit", None),
    "x_lv": ("lv", "lav", None),
    "x_et": ("et", "ekk", None),
    "x_ca": ("ca ca-ES", "cat", None),
    "x_id": ("id id-ID", "ind", None),
    "x_tr": ("tr tr-TR", "tur", None),
    "x_az": ("az", "azj_latn", None),
    "x_sq": ("sq", "als", None),
    "x_vi": ("vi vi-VN", "vie", None),
    "x_el": ("el el-GR", "ell_monotonic", (0x370, 0x3FF)),
    "x_he": ("he", "heb", (0x590, 0x5FF)),
    "x_fa": ("fa fa-IR", "pes_1", ARABIC),
    "x_ur": ("ur", "urd", ARABIC),
    "x_mr": ("mr", "mar", DEVANAGARI),
    "x_ne": ("ne ne-np", "nep", DEVANAGARI),
    "x_bn": ("bn", "ben", (0x980, 0x9FF)),
    "x_pa": ("pa pa-in", "pan", (0xA00, 0xA7F)),
    "x_gu": ("gu gu-in", "guj", (0xA80, 0xAFF)),
    "x_ta": ("ta", "tam", (0xB80, 0xBFF)),
    "x_te": ("te", "tel", (0xC00, 0xC7F)),
    "x_kn": ("kn", "kan", (0xC80, 0xCFF)),
    "x_ml": ("ml", "mal", (0xD00, 0xD7F)),
    "x_si": ("si", "sin", (0xD80, 0xDFF)),
    "x_ka": ("ka", "kat", (0x10A0, 0x10FF)),
    "x_hy": ("hy hy-am", "hye", (0x530, 0x58F)),
    "x_am": ("am am_ET", "amh", (0x1200, 0x139F)),
    "x_my": ("my", "mya", (0x1000, 0x109F)),
    "x_km": ("km", "khm", (0x1780, 0x17FF)),
    "x_zh_tw": ("zh-TW zh-tw zh_TW", "cmn_hant", HAN),
}

# Languages with fewer readers or less text.  They get little weight in the fit,
# for the contexts they would list are taken from the others.
SMALL = {
    "x_eu": ("eu", "eus", None),
    "x_gl": ("gl", "glg", None),
    "x_is": ("is", "isl", None),
    "x_cy": ("cy", "cym", None),
    "x_ga": ("ga ga-ie", "gle", None),
    "x_gd": ("gd", "gla", None),
    "x_br": ("br", "bre", None),
    "x_oc": ("oc", "lnc", None),
    "x_af": ("af", "afr", None),
    "x_bs": ("bs", "bos_latn", None),
    "x_nn": ("nn nn-no", "nno", None),
    "x_eo": ("eo", "epo", None),
    "x_ms": ("ms", "msa_latn", None),
    "x_tl": ("tl", "tgl", None),
    "x_uz": ("uz", "uzn_latn", None),
    "x_zu": ("zu", "zul", None),
    "x_xh": ("xh", "xho", None),
    "x_rw": ("rw", "kin", None),
    "x_be": ("be", "bel", CYRILLIC),
    "x_tg": ("tg", "tgk", CYRILLIC),
    "x_mn": ("mn", "khk", CYRILLIC),
    "x_ug": ("ug", "uig_arab", ARABIC),
    "x_or": ("or", "ori", (0xB00, 0xB7F)),
    "x_as": ("as", "asm", (0x980, 0x9FF)),
}

ALL = {**MAIN, **FURTHER, **SMALL}
