/* fields.c: see fields.h. */
#include "fields.h"

#include <stddef.h>
#include <string.h>

#include "json/json.h"

/*
 * Known names, the likeliest first; a reranker's score before a retriever's, a chunk's
 * own id before its document's.  A new one is a row here and a line in the manual.
 */
static const char *const text_names[] = {
    "text",      "content",      "page_content", "chunk",           "chunk_text",
    "passage",   "body",         "snippet",      "document.text",   "document",
    "node.text", "payload.text", "_source.text", "_source.content", "metadata.text",
};
static const char *const score_names[] = {
    "relevance_score",
    "_relevance_score",
    "rerank_score",
    "reranker_score",
    "relevanceScore",
    "/@search.rerankerScore",
    "rrf_score",
    "score",
    "_score",
    "similarity",
    "_rankingScore",
    "/@search.score",
    "bm25_score",
    "similarity_score",
    "cosine_similarity",
    "distance",
    "_distance",
    "vector_distance",
    "cosine_distance",
};
static const char *const id_names[] = {
    "id", "_id", "id_", "chunk_id", "node_id", "docid", "doc_id",
};

/* Parses a path that is known to be right, so that each owner has its own. */
static void copy_path(struct path *to, const char *written)
{
    path_parse(to, written);
}

/* The first of the names at which the object has a value of the kind, or of any but none. */
static bool search(struct path *path, struct slice object, const char *const *names, size_t count,
                   enum value_kind kind)
{
    for (size_t i = 0; i < count; i++) {
        copy_path(path, names[i]);
        enum value_kind found = value_kind_of(value_find(object, path));
        if (kind == VALUE_ABSENT ? found != VALUE_ABSENT : found == kind) {
            return true;
        }
        path_free(path);
    }
    return false;
}

static void settle(struct path *path, const struct path *named, struct slice object,
                   const char *const *names, size_t count)
{
    if (named->depth > 0) {
        copy_path(path, named->written);
    } else {
        search(path, object, names, count, VALUE_ABSENT);
    }
}

/* A text that is null is an empty one, but only where there is no other. */
static void settle_text(struct path *path, const struct path *named, struct slice object)
{
    if (named->depth > 0) {
        copy_path(path, named->written);
    } else if (!search(path, object, text_names, COUNT(text_names), VALUE_STRING)) {
        search(path, object, text_names, COUNT(text_names), VALUE_NULL);
    }
}

bool fields_settle(struct fields *fields, struct slice object, const struct read_options *options)
{
    if (fields->settled) {
        return true;
    }
    settle_text(&fields->text, &options->text, object);
    if (fields->text.depth == 0) {
        return false;
    }
    settle(&fields->score, &options->score, object, score_names, COUNT(score_names));
    settle(&fields->id, &options->id, object, id_names, COUNT(id_names));
    fields->settled = true;
    return true;
}

void fields_settle_id(struct fields *fields, struct slice object,
                      const struct read_options *options)
{
    if (fields->id.depth == 0) {
        settle(&fields->id, &options->id, object, id_names, COUNT(id_names));
    }
}

void fields_unsettle(struct fields *fields, bool settled, bool id_settled)
{
    if (!settled) {
        fields_free(fields);
    } else if (!id_settled) {
        path_free(&fields->id);
    }
}

struct slice fields_find_id(struct slice object)
{
    struct path path = {0};
    struct slice value = {0};
    if (search(&path, object, id_names, COUNT(id_names), VALUE_ABSENT)) {
        value = value_find(object, &path);
        path_free(&path);
    }
    return value;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return is_upper(c) || (c >= 'a' && c <= 'z');
}

/* Whether `word` (in lower case) stands in the key, in any case; with alone, as a word. */
static bool key_has(struct slice key, const char *word, bool alone)
{
    size_t length = strlen(word);
    for (size_t i = 0; i + length <= key.len; i++) {
        size_t n = 0;
        while (n < length && (key.at[i + n] | 0x20) == word[n]) {
            n++;
        }
        bool ends = i + n == key.len || !is_letter(key.at[i + n]) || is_upper(key.at[i + n]);
        bool starts = i == 0 || !is_letter(key.at[i - 1]) ||
                      (is_upper(key.at[i]) && !is_upper(key.at[i - 1]));
        if (n == length && (!alone || (starts && ends))) {
            return true;
        }
    }
    return false;
}

bool fields_lower_is_better(const struct fields *fields, const struct read_options *options)
{
    if (options->direction != DIRECTION_BY_FIELD) {
        return options->direction == DIRECTION_LOWER;
    }
    for (size_t i = 0; i < fields->score.depth; i++) {
        struct slice key = fields->score.keys[i];
        if (key_has(key, "distance", false) || key_has(key, "dist", true)) {
            return true;
        }
    }
    return false;
}

void fields_free(struct fields *fields)
{
    path_free(&fields->text);
    path_free(&fields->score);
    path_free(&fields->id);
    *fields = (struct fields){0};
}
