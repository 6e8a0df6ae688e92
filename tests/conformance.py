#!/usr/bin/env python3
"""Runs edgefold over JSONTestSuite's files: as values of a chunk line, and as lines.

    conformance.py EDGEFOLD DIR

y_ must be taken and n_ refused with status 3; what is taken all the same, since
producers write it, is named here, and so is what comes of each i_ file.
"""

import os
import subprocess
import sys

# Mended on purpose, with a warning.
MENDED = {"n_number_NaN.json", "n_number_infinity.json", "n_number_minus_infinity.json"}
# Nothing but blanks is no line at all.
BLANK = {"n_single_space.json", "n_structure_no_data.json", "n_structure_UTF8_BOM_no_data.json"}
# Left open by RFC 8259: what a warning must say, "" for none, None for refused.
OPEN = {
    "i_number_double_huge_neg_exp.json": "",
    "i_number_real_underflow.json": "",
    "i_number_too_big_neg_int.json": "",
    "i_number_too_big_pos_int.json": "",
    "i_number_very_big_negative_int.json": "",
    "i_structure_500_nested_arrays.json": "",
    "i_structure_UTF-8_BOM_empty_object.json": None,     # inside a line it is no mark
    "i_string_UTF-16LE_with_BOM.json": None,
    "i_string_utf16BE_no_BOM.json": None,
    "i_string_utf16LE_no_BOM.json": None,
}
OPEN.update(dict.fromkeys("""i_number_huge_exp.json i_number_neg_int_huge_exp.json
    i_number_pos_double_huge_exp.json i_number_real_neg_overflow.json
    i_number_real_pos_overflow.json""".split(), "beyond a double"))
OPEN.update(dict.fromkeys("""i_object_key_lone_2nd_surrogate.json
    i_string_1st_surrogate_but_2nd_missing.json i_string_1st_valid_surrogate_2nd_invalid.json
    i_string_incomplete_surrogate_and_escape_valid.json i_string_incomplete_surrogate_pair.json
    i_string_incomplete_surrogates_escape_valid.json i_string_invalid_lonely_surrogate.json
    i_string_invalid_surrogate.json i_string_inverted_surrogates_U+1D11E.json
    i_string_lone_second_surrogate.json""".split(), "surrogate pair"))
OPEN.update(dict.fromkeys("""i_string_UTF-8_invalid_sequence.json
    i_string_UTF8_surrogate_U+D800.json i_string_invalid_utf-8.json i_string_iso_latin_1.json
    i_string_lone_utf8_continuation_byte.json i_string_not_in_unicode_range.json
    i_string_overlong_sequence_2_bytes.json i_string_overlong_sequence_6_bytes.json
    i_string_overlong_sequence_6_bytes_null.json i_string_truncated-utf-8.json""".split(),
    "not UTF-8"))


def run(edgefold, data):
    done = subprocess.run([edgefold], input=data, capture_output=True)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def expected(name):
    """What a warning must say; None where the file is refused."""
    if name[0] == "y":
        return ""
    if name in MENDED:
        return "NaN or Infinity"
    return OPEN[name] if name[0] == "i" else None


def check_as_value(edgefold, name, data):
    line = b'{"text":"t","score":1,"v":' + data + b"}"
    if name[0] == "y":
        line = line.replace(b"\n", b" ")              # white space between tokens there
    status, out, messages = run(edgefold, line + b"\n")
    warning = expected(name)
    if warning is None:
        return status == 3 and out == b"" and messages.startswith("edgefold: <stdin>:1:")
    mended = line
    if name in MENDED:
        mended = b'{"text":"t","score":1,"v":[null]}'
    return status == 0 and out == mended + b"\n" and (warning in messages) and (
        warning != "" or messages == "")


def check_as_line(edgefold, name, data):
    """None of these has a text, so none is a chunk; but each gets an answer."""
    status, out, messages = run(edgefold, data)
    blank = not data.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n")
    if blank and name[0] == "n":
        return status == 0 and name in BLANK
    return status == 3 and out == b"" and messages.startswith("edgefold: <stdin>:")


def main():
    edgefold, folder = sys.argv[1:]
    failed = 0
    names = sorted(os.listdir(folder))
    for name in names:
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        for check in (check_as_value, check_as_line):
            if not check(edgefold, name, data):
                print(f"{check.__name__}: {name}: {run(edgefold, data)}")
                failed += 1
    print(f"{len(names)} files, {failed} failures")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
