/* words.c: see words.h. */
#include "words.h"

#include <stdbool.h>
#include <stdlib.h>

#include <utf8proc.h>

#include "base/base.h"

#define NORMALISE (UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT | UTF8PROC_IGNORE)

enum ascii_class {
    SEPARATOR = 0,
    BEYOND_ASCII = 0xff
    /* any other value is a letter or digit, case-folded */
};

#define DIGITS '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'
#define LETTERS                                                                                    \
    'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', \
        't', 'u', 'v', 'w', 'x', 'y', 'z'
#define BEYOND_16                                                                                  \
    BEYOND_ASCII, BEYOND_ASCII, BEYOND_ASCII, BEYOND_ASCII, BEYOND_ASCII, BEYOND_ASCII,            \
        BEYOND_ASCII, BEYOND_ASCII, BEYOND_ASCII, BEYOND_ASCII, BEYOND_ASCII, BEYOND_ASCII,        \
        BEYOND_ASCII, BEYOND_ASCII, BEYOND_ASCII, BEYOND_ASCII

static const unsigned char folded[256] = {
    ['0'] = DIGITS,     ['A'] = LETTERS,    ['a'] = LETTERS,    [0x80] = BEYOND_16,
    [0x90] = BEYOND_16, [0xa0] = BEYOND_16, [0xb0] = BEYOND_16, [0xc0] = BEYOND_16,
    [0xd0] = BEYOND_16, [0xe0] = BEYOND_16, [0xf0] = BEYOND_16,
};

/* Room for so many words to begin with: most texts have no more. */
#define FIRST_WORDS 1024

/* Makes the three arrays of the list longer together. */
static void grow(struct words *words)
{
    struct word_list *list = &words->list;
    size_t needed = list->capacity > 0 ? list->capacity + 1 : FIRST_WORDS;
    list->ids = mem_grow(list->ids, &list->capacity, needed, sizeof *list->ids);
    list->numbers = mem_realloc(list->numbers, list->capacity * sizeof *list->numbers);
    words->pending = mem_realloc(words->pending, list->capacity * sizeof *words->pending);
}

/* Adds a word and returns it, empty, to be filled in: its id is found with all the others. */
static union short_word *add_pending(struct words *words)
{
    struct word_list *list = &words->list;
    if (list->count == list->capacity) {
        grow(words);
    }
    union short_word *word = &words->pending[list->count];
    *word = (union short_word){{0}};
    list->numbers[list->count++] = false;
    return word;
}

static void add_word(struct words *words, struct slice bytes, bool is_number)
{
    union short_word *word = add_pending(words);
    size_t place = words->list.count - 1;
    words->list.numbers[place] = is_number;
    if (bytes.len <= WORD_SHORT) {
        memcpy(word->bytes, bytes.at, bytes.len);
    } else {
        words->list.ids[place] = intern_word(&words->vocabulary, bytes);
        words->long_words = mem_grow(words->long_words, &words->long_capacity,
                                     words->long_count + 1, sizeof *words->long_words);
        words->long_words[words->long_count++] = place;
    }
}

/* Neither a separator nor beyond ASCII, which are the two ends of what a byte can be. */
static bool is_ascii_word(unsigned char byte)
{
    return (unsigned char)(folded[byte] - 1) < BEYOND_ASCII - 1;
}

static bool has_ascii_digit(const unsigned char *word, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (word[i] <= '9') {
            return true; /* of letters and digits */
        }
    }
    return false;
}

static void add_long_ascii_word(struct words *words, const unsigned char *from, size_t length)
{
    words->word.len = 0;
    char *word = buf_room(&words->word, length);
    for (size_t i = 0; i < length; i++) {
        word[i] = (char)folded[from[i]];
    }
    bool is_number = words->find_numbers && has_ascii_digit(from, length);
    add_word(words, (struct slice){word, length}, is_number);
}

/* The first bytes of a word, folded, of at most `most`; returns how many there are. */
static size_t fold_bytes(const unsigned char *at, size_t most, union short_word *word)
{
    size_t n = 0;
    *word = (union short_word){{0}};
    while (n < most && is_ascii_word(at[n])) {
        word->bytes[n] = folded[at[n]];
        n++;
    }
    return n;
}

#if SIMD

/* The bytes that are letters or digits of ASCII; small has the letters' small ones. */
static simd are_word_bytes(simd bytes, simd small)
{
    return simd_or(simd_between(small, 'a', 'z'), simd_between(bytes, '0', '9'));
}

/* The bit that makes a letter small is set in a digit. */
static simd make_small(simd bytes)
{
    return simd_or(bytes, simd_all(0x20));
}

/* Stores the first so many bytes, and zeros for the others. */
static void store_word(union short_word *word, simd small, size_t length)
{
    static const unsigned char ones_then_zeros[2 * WORD_SHORT] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    };
    simd kept = simd_load(&ones_then_zeros[WORD_SHORT - length]);
    simd_store(word->bytes, simd_and(small, kept));
}

/* The first bytes of a word, folded, where WORD_SHORT bytes can be read: all at a time. */
static size_t fold_sixteen(const unsigned char *at, union short_word *word)
{
    simd bytes = simd_load(at);
    simd small = make_small(bytes);
    unsigned ends = ~simd_bits(are_word_bytes(bytes, small));
    size_t length = simd_first(ends | 1U << WORD_SHORT);
    store_word(word, small, length);
    return length;
}

#define BLOCK 64

/* A bit for each byte of a block. */
struct block {
    uint64_t word_bytes;
    uint64_t beyond_ascii;
};

static uint64_t lowest(uint64_t bits)
{
    return bits & (~bits + 1);
}

static void add_sixteen(struct block *block, const unsigned char *at, unsigned offset)
{
    simd bytes = simd_load(at + offset);
    block->word_bytes |= (uint64_t)simd_bits(are_word_bytes(bytes, make_small(bytes))) << offset;
    block->beyond_ascii |= (uint64_t)simd_bits_beyond_ascii(bytes) << offset;
}

static struct block look_at_block(const unsigned char *at)
{
    struct block block = {0, 0};
    add_sixteen(&block, at, 0);
    add_sixteen(&block, at, 16);
    add_sixteen(&block, at, 32);
    add_sixteen(&block, at, 48);
    return block;
}

/*
 * Adds the words of a block that are short and end in it, up to the first that is not so or
 * touches what is not ASCII; returns how many bytes are done.
 */
static size_t add_block(union short_word **pending, const unsigned char *at)
{
    struct block block = look_at_block(at);
    uint64_t starts = block.word_bytes & ~(block.word_bytes << 1);
    uint64_t ends = ~block.word_bytes & block.word_bytes << 1; /* the bytes behind words */
    uint64_t ascii = block.beyond_ascii == 0 ? UINT64_MAX : lowest(block.beyond_ascii) - 1;
    union short_word *word = *pending;
    for (ends &= ascii; ends != 0; ends &= ends - 1) {
        size_t start = simd_first(starts);
        size_t length = simd_first(ends) - start;
        if (length > WORD_SHORT) {
            *pending = word;
            return start;
        }
        store_word(word++, make_small(simd_load(at + start)), length);
        starts &= starts - 1;
    }
    *pending = word;
    uint64_t rest = starts | ~ascii;
    return rest != 0 ? simd_first(rest) : BLOCK;
}

/* As many blocks as there are; returns where one has nothing that is added here. */
static const unsigned char *add_blocks(struct words *words, const unsigned char *at,
                                       const unsigned char *end)
{
    size_t done = 1;
    while (done > 0 && end - at >= BLOCK + WORD_SHORT) {
        while (words->list.capacity < words->list.count + BLOCK / 2) {
            grow(words);
        }
        union short_word *pending = words->pending + words->list.count;
        done = add_block(&pending, at);
        words->list.count = (size_t)(pending - words->pending);
        at += done;
    }
    return at;
}

#elif defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(NO_SIMD)

#define EIGHT_TIMES(byte) (0x0101010101010101U * (byte))

/*
 * Eight bytes at a time: each byte's highest bit says whether it is a letter or
 * digit.  Adding to seven bits never carries into the next byte.
 */
static size_t fold_eight(const unsigned char *at, uint64_t *half)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    uint64_t low = bytes & EIGHT_TIMES(0x7f);
    uint64_t lower = low | EIGHT_TIMES(0x20);
    uint64_t letters = (lower + EIGHT_TIMES(0x80 - 'a')) & ~(lower + EIGHT_TIMES(0x7f - 'z'));
    uint64_t digits = (low + EIGHT_TIMES(0x80 - '0')) & ~(low + EIGHT_TIMES(0x7f - '9'));
    uint64_t high = EIGHT_TIMES(0x80);
    uint64_t others = ~((letters | digits) & ~bytes) & high;
    uint64_t text = bytes | (letters & high) >> 2; /* 0x80 >> 2 is the bit of lower case */
    if (others == 0) {
        *half = text;
        return sizeof bytes;
    }
    unsigned bits = (unsigned)__builtin_ctzll(others) - 7; /* of the bytes before the first other */
    *half = bits > 0 ? text & (UINT64_MAX >> (64 - bits)) : 0;
    return bits / 8;
}

static size_t fold_sixteen(const unsigned char *at, union short_word *word)
{
    word->halves[1] = 0;
    size_t n = fold_eight(at, &word->halves[0]);
    return n < 8 ? n : n + fold_eight(at + 8, &word->halves[1]);
}

#else

static size_t fold_sixteen(const unsigned char *at, union short_word *word)
{
    return fold_bytes(at, WORD_SHORT, word);
}

#endif

#if !SIMD

static const unsigned char *add_blocks(struct words *words, const unsigned char *at,
                                       const unsigned char *end)
{
    (void)words;
    (void)end;
    return at;
}

#endif

/*
 * Words of letters and digits of ASCII only, as long as they are short and there are bytes
 * enough behind them: nearly all are.  Returns where the next one begins, or at if it is not
 * of these.
 */
static const unsigned char *add_plain_words(struct words *words, const unsigned char *at,
                                            const unsigned char *end)
{
    struct word_list *list = &words->list;
    at = add_blocks(words, at, end);
    size_t count = list->count;
    while (end - at > WORD_SHORT) {
        if (folded[*at] == SEPARATOR) {
            at++;
            continue;
        }
        if (count == list->capacity) {
            grow(words);
        }
        size_t length = fold_sixteen(at, &words->pending[count]);
        if (length == 0 || folded[at[length]] != SEPARATOR) {
            break;
        }
        count++;
        at += length + 1;
    }
    list->count = count;
    return at;
}

/* A word of letters and digits of ASCII only; returns where it ends, or at if it is not. */
static const unsigned char *add_ascii_word(struct words *words, const unsigned char *at,
                                           const unsigned char *end)
{
    const unsigned char *from = at;
    while (at < end && is_ascii_word(*at)) {
        at++;
    }
    if (at < end && folded[*at] == BEYOND_ASCII) {
        return from;
    }
    size_t length = (size_t)(at - from);
    if (length > WORD_SHORT) {
        add_long_ascii_word(words, from, length);
        return at;
    }
    fold_bytes(from, length, add_pending(words));
    words->list.numbers[words->list.count - 1] =
        words->find_numbers && has_ascii_digit(from, length);
    return at;
}

enum run { RUN_NONE, RUN_SPACED, RUN_UNSPACED };

static enum run run_of(int32_t c)
{
    if (c < 0x80) {
        return folded[c] != SEPARATOR ? RUN_SPACED : RUN_NONE;
    }
    utf8proc_category_t category = utf8proc_category(c);
    if (category < UTF8PROC_CATEGORY_LU || category > UTF8PROC_CATEGORY_NO) {
        return RUN_NONE;
    }
    return utf8_is_unspaced((uint32_t)c) ? RUN_UNSPACED : RUN_SPACED;
}

static void add_code_points(struct words *words, const int32_t *c, size_t n)
{
    bool is_number = false;
    words->word.len = 0;
    unsigned char *bytes = (unsigned char *)buf_room(&words->word, 4 * n);
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        length += (size_t)utf8proc_encode_char(c[i], bytes + length);
        is_number |= words->find_numbers && utf8proc_category(c[i]) == UTF8PROC_CATEGORY_ND;
    }
    add_word(words, (struct slice){(const char *)bytes, length}, is_number);
}

static void add_run(struct words *words, enum run run, const int32_t *c, size_t n)
{
    if (run == RUN_SPACED || (run == RUN_UNSPACED && n == 1)) {
        add_code_points(words, c, n);
    } else if (run == RUN_UNSPACED) {
        for (size_t i = 0; i + 1 < n; i++) {
            add_code_points(words, c + i, 2);
        }
    }
}

static void add_runs(struct words *words)
{
    const int32_t *c = words->points.at;
    size_t n = words->points.count;
    size_t start = 0;
    enum run run = RUN_NONE;
    for (size_t i = 0; i < n; i++) {
        enum run next = run_of(c[i]);
        if (next != run) {
            add_run(words, run, c + start, i - start);
            run = next;
            start = i;
        }
    }
    add_run(words, run, c + start, n - start);
}

/*
 * Common code points beyond ASCII that the mapping leaves alone, and that
 * compose with nothing but code points outside this set: with only these in a
 * segment, there is nothing to map.
 */
static bool maps_to_itself(int32_t c)
{
    return (c >= 0x4e00 && c <= 0x9fff)                                    /* Han */
           || (c >= 0x3041 && c <= 0x3096) || (c >= 0x30a1 && c <= 0x30fa) /* kana */
           || c == 0x30fc || (c >= 0xac00 && c <= 0xd7a3)                  /* Hangul syllables */
           || (c >= 0xe0 && c <= 0xff)                                     /* Latin */
           || (c >= 0x0430 && c <= 0x045f)                                 /* Cyrillic */
           || (c >= 0x05d0 && c <= 0x05ea) || (c >= 0x0621 && c <= 0x064a) /* Hebrew, Arabic */
           || c == 0x3001 || c == 0x3002 || (c >= 0x2018 && c <= 0x201f)   /* punctuation */
           || c == 0x2013 || c == 0x2014;
}

/* Decodes into the code points while nothing needs mapping; false when something does. */
static bool decode_unmapped(struct words *words, struct slice text)
{
    code_points_reserve(&words->points, text.len);
    int32_t *out = words->points.at;
    const unsigned char *at = (const unsigned char *)text.at;
    const unsigned char *end = at + text.len;
    size_t n = 0;
    while (at < end) {
        if (*at < 0x80) {
            out[n++] = folded[*at] != SEPARATOR ? folded[*at] : *at;
            at++;
            continue;
        }
        int32_t c;
        utf8proc_ssize_t length = utf8proc_iterate(at, end - at, &c);
        if (length <= 0 || !maps_to_itself(c)) {
            return false;
        }
        out[n++] = c;
        at += length;
    }
    words->points.count = n;
    return true;
}

/*
 * The iota subscript (U+0345, and what contains it) is a mark that case folding
 * turns into a letter: folding before composition then gives another result than
 * folding after it, which is what is asked for.  Told by the bytes of U+0345,
 * U+037A and U+1F80 to U+1FFF.
 */
static bool may_have_iota_subscript(struct slice text)
{
    const unsigned char *at = (const unsigned char *)text.at;
    for (size_t i = 0; i + 1 < text.len; i++) {
        if ((at[i] == 0xcd && (at[i + 1] == 0x85 || at[i + 1] == 0xba)) ||
            (at[i] == 0xe1 && at[i + 1] >= 0xbe)) {
            return true;
        }
    }
    return false;
}

/* NFKC(fold(NFKC(text))): utf8proc does it all in one go wherever that is the same. */
static void map_segment(struct words *words, struct slice text)
{
    struct code_points *points = &words->points;
    if (!may_have_iota_subscript(text)) {
        code_points_map(points, text, NORMALISE | UTF8PROC_CASEFOLD);
        return;
    }
    code_points_map(points, text, NORMALISE);
    words->word.len = 0;
    unsigned char *bytes = (unsigned char *)buf_room(&words->word, 4 * points->count);
    size_t length = 0;
    for (size_t i = 0; i < points->count; i++) {
        length += (size_t)utf8proc_encode_char(points->at[i], bytes + length);
    }
    struct slice composed = {(const char *)bytes, length};
    code_points_map(points, composed, NORMALISE | UTF8PROC_CASEFOLD);
}

static void add_segment(struct words *words, struct slice text)
{
    if (!decode_unmapped(words, text)) {
        map_segment(words, text);
    }
    add_runs(words);
}

/* The ids of all words but the long ones, which have theirs. */
static void find_ids(struct words *words)
{
    struct word_list *list = &words->list;
    size_t from = 0;
    for (size_t i = 0; i <= words->long_count; i++) {
        size_t to = i < words->long_count ? words->long_words[i] : list->count;
        if (to > from) { /* of a text without words there is no list at all */
            intern_short_words(&words->vocabulary, words->pending + from, to - from,
                               list->ids + from);
        }
        from = to + 1;
    }
    words->long_count = 0;
}

/*
 * ASCII is done byte by byte.  The rest is done in segments, from the ASCII word
 * or the one separator before it (a mark may compose with that: "=" and U+0338
 * are one symbol) to the next ASCII separator.  No ASCII character composes with
 * what stands before it, so a cut before one changes nothing.
 */
struct word_list *words_find(struct words *words, struct slice text)
{
    const unsigned char *start = (const unsigned char *)text.at;
    const unsigned char *end = start + text.len;
    const unsigned char *at = start;
    struct word_list *list = &words->list;
    list->count = 0;
    while (at < end) {
        if (folded[*at] == SEPARATOR) {
            at++;
            continue;
        }
        const unsigned char *from = at;
        if (folded[*at] != BEYOND_ASCII) {
            at = words->find_numbers ? at : add_plain_words(words, at, end);
            at = at > from ? at : add_ascii_word(words, at, end);
            if (at > from) {
                continue;
            }
        } else if (at > start) {
            from--;
        }
        while (at < end && folded[*at] != SEPARATOR) {
            at++;
        }
        add_segment(words, (struct slice){(const char *)from, (size_t)(at - from)});
    }
    find_ids(words);
    return list;
}

void words_free(struct words *words)
{
    interner_free(&words->vocabulary);
    free(words->list.ids);
    free(words->list.numbers);
    free(words->pending);
    free(words->long_words);
    buf_free(&words->word);
    code_points_free(&words->points);
    *words = (struct words){0};
}
