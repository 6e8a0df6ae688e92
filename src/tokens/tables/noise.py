"""Make texts that packages do not hold from texts that they do: badly read
print, and Russian in Latin letters.

The rules are written down here, and every choice comes from the generator that
is handed in: the same text gives the same result everywhere.
"""

import re

# What optical character recognition takes for what, from the shapes of letters
# in print: both ways, one letter or a pair.
LOOK_ALIKES = """
rn m|m rn|m nn|m in|cl d|d cl|d ol|li h|h li|h b|h ii|vv w|w vv|w iv|u ii|u n
n u|n ii|n ri|n r|ri n|nn m|in m|e c|c e|c o|e o|o e|o c|o 0|a o|a u|a s|s a
s 5|s ?|i l|i 1|i j|i t|i !|l i|l 1|l I|l t|l |l /|t f|t l|t i|t r|f t|f l|f r
r n|r t|r i|r '|b h|b 6|b l|g q|g 9|g y|q g|y v|y g|v y|v u|k h|k lc|p n|p j|
z 2|x z|j i|fi h|ff fl|th tb|the tbe|the tlie|and aud|of oi|is i3
I l|I 1|I ]|I |O 0|O Q|O C|0 O|0 o|1 l|1 I|5 S|5 s|S 5|S 8|8 B|8 S|B 8|B R|B 13
D O|D I)|E F|E B|F P|F E|G C|G 6|C G|C (|H II|H N|H li|K IC|L I|M N|M IVI|N M
N II|P F|P I'|R K|R It|T 7|T I'|U II|V Y|W VV|Y V|Z 2|2 Z|2 z|3 8|3 5|4 A|6 b|6 G
7 T|7 1|9 g|9 q|. ,|, .|, '|. |; :|: ;|' `|" ''|- ~|- _|- |( C|) J|$ S|& 8
\u00e4 a|\u00e4 ii|\u00f6 o|\u00f6 6|\u00fc ii|\u00fc u|\u00df B|\u00df fi
\u00e9 e|\u00e9 6|\u00e8 e|\u00ea e|\u00e0 a|\u00e7 c
"""
SPECKS = ".,'`~^*-_:;|\\/!\"\u2022\u00b7\u00b0<>()[]{}=+"
# A page read badly as a whole is full of such runs.
SPECK_RUNS = [". .", "..", "' '", ",,", "| |", "- -", "_ _", ". . .", "^ ~",
              "\u2014", "\u00bb", "\u00ab", "\u00a7", "\u00ae", "\u00a9", "\u20ac"]


def look_alikes():
    """Return {what is printed: [what is read]}."""
    table = {}
    for entry in LOOK_ALIKES.replace("\n", "|").split("|"):
        printed, _, seen = entry.partition(" ")
        if printed:
            table.setdefault(printed, []).append(seen)
    return table


READ_AS = look_alikes()
LONGEST = max(map(len, READ_AS))


def anything(rng, letter):
    """Return what may be read where a letter is worn off or a stain covers it."""
    other = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return rng.choice([other, other, other.upper() if letter.isupper() else other,
                       letter.swapcase(), letter + other, letter + letter,
                       letter + rng.choice(SPECKS), rng.choice(SPECKS), "",
                       letter + " "])


def misread(rng, word, rate, worn):
    """Return a word with some of its letters misread.

    worn is the share of errors that have nothing to do with shapes.
    """
    made, at = [], 0
    while at < len(word):
        chance = rng.random()
        if chance < rate * worn:
            made.append(anything(rng, word[at]))
            at += 1
        elif chance < rate:
            for size in range(LONGEST, 0, -1):
                seen = READ_AS.get(word[at:at + size])
                if seen and (size == 1 or rng.random() < 0.5):
                    made.append(rng.choice(seen))
                    break
            else:
                size = 1
                made.append(rng.choice(["", word[at] * 2, rng.choice(SPECKS),
                                        word[at].swapcase()]))
            at += size
        else:
            made.append(word[at])
            at += 1
    return "".join(made)


def broken(rng, word, rate):
    """Return a word that may be torn, spaced out or in other letter cases."""
    chance = rng.random()
    if len(word) > 3 and chance < rate:
        at = rng.randrange(1, len(word) - 1)
        return word[:at] + rng.choice([" ", " ", "- ", "-\n", "."]) + word[at:]
    if len(word) > 3 and chance < 1.15 * rate:
        return " ".join(word)
    if chance < 1.4 * rate:
        return "".join(letter.upper() if rng.random() < 0.5 else letter
                       for letter in word)
    if chance < 1.5 * rate:
        return word.upper()
    return word


def badly_read(rng, text, rate, worn=0.0):
    """Return a text as bad character recognition gives it back.

    rate is the chance of a letter to be misread, worn the share of such errors
    that may give any letter.  In proportion words are torn and joined, and
    specks are read as punctuation.
    """
    made = []
    for token in re.split(r"(\s+)", text):
        if not token or token.isspace():
            chance = rng.random()
            if "\n" not in token and chance < 0.6 * rate:
                token = ""
            elif chance < 1.2 * rate:
                token += rng.choice(SPECKS) + rng.choice([" ", ""])
            elif chance < 1.4 * rate:
                token = f" {rng.choice(SPECK_RUNS)} "
        else:
            token = broken(rng, misread(rng, token, rate, worn), 0.8 * rate)
        made.append(token)
    return wrapped("".join(made), rng.choice([0, 42, 58, 70]))


def wrapped(text, width):
    """Break the lines of a text at a width, words with a hyphen; 0: leave it."""
    if not width:
        return text
    lines = []
    for line in text.split("\n"):
        while len(line) > width:
            at = line.rfind(" ", 0, width)
            if at <= 0 or (width - at > 6 and line[width - 3:width].isalpha()):
                lines.append(line[:width - 2] + "-")
                line = line[width - 2:]
            else:
                lines.append(line[:at])
                line = line[at + 1:]
        lines.append(line)
    return "\n".join(lines)


# ---- Russian in Latin letters -------------------------------------------

CYRILLIC = ("\u0430\u0431\u0432\u0433\u0434\u0435\u0451\u0436\u0437\u0438\u0439"
            "\u043a\u043b\u043c\u043d\u043e\u043f\u0440\u0441\u0442\u0443\u0444"
            "\u0445\u0446\u0447\u0448\u0449\u044a\u044b\u044c\u044d\u044e\u044f")
# One row per way of writing, in the order of the letters above; "-" is nothing.
WAYS = [
    # Passports and maps.
    "a b v g d e e zh z i i k l m n o p r s t u f kh ts ch sh shch ie y - e iu ia",
    "a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh shch \" y ' e yu ya",
    # Letters and chats.
    "a b v g d e e zh z i y k l m n o p r s t u f h c ch sh sch - y - e yu ya",
    "a b v g d e yo j z i j k l m n o p r s t u f h c ch sh sh ' y ' e ju ja",
    "a b v g d e jo zh z i j k l m n o p r s t u f x c ch sh shh '' y ' eh yu ya",
    # The same with the digits that stand for letters.
    "a b v g d e e zh z i y k l m n o p r s t u f h c 4 6 6 - y - e yu ya",
    # Libraries and linguists.
    "a b v g d e \u00eb \u017e z i j k l m n o p r s t u f ch c \u010d \u0161 \u0161\u010d"
    " \u02ba y \u02b9 \u00e8 ju ja",
]


def latin(text, way):
    """Return a Russian text in Latin letters, in one of the ways."""
    table = {}
    for letter, written in zip(CYRILLIC, WAYS[way].split()):
        written = "" if written == "-" else written
        table[ord(letter)] = written
        table[ord(letter.upper())] = written.capitalize()
    return text.translate(table)
