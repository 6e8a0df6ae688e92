/* fields.c: see fields.h. */
#include "fields.h"

#include <stddef.h>

#include "json/value.h"

/* Known names, the likeliest first; a reranker's score before a retriever's. */
static const char *const text_names[] = {
    "text",         "content",         "page_content",  "chunk",    "chunk_text", "passage",
    "body",         "snippet",         "document.text", "document", "node.text",  "payload.text",
    "_source.text", "_source.content", "metadata.text", NULL,
};
static const char *const score_names[] = {
    "relevance_score", "_relevance_score", "rerank_score", "score",           "_score",
    "similarity",      "distance",         "_distance",    "vector_distance", NULL,
};
static const char *const id_names[] = {
    "id", "_id", "id_", "node_id", "docid", "doc_id", "chunk_id", NULL,
};

/* Names that say that less is better. */
static const char *const distance_names[] = {"distance", "_distance", "vector_distance"};

/* Parses a path that has been parsed before, so that each owner has its own. */
static void copy_path(struct path *to, const char *written)
{
    path_parse(to, written);
}

/* The first of names that the object has, as a string where that is asked for. */
static void search(struct path *path, struct slice object, const char *const *names,
                   bool must_be_string)
{
    for (; *names != NULL; names++) {
        copy_path(path, *names);
        enum value_kind kind = value_kind_of(value_find(object, path));
        if (must_be_string ? kind == VALUE_STRING : kind != VALUE_ABSENT) {
            return;
        }
        path_free(path);
    }
}

static void settle(struct path *path, const struct path *named, struct slice object,
                   const char *const *names, bool must_be_string)
{
    if (named->depth > 0) {
        copy_path(path, named->written);
    } else {
        search(path, object, names, must_be_string);
    }
}

bool fields_settle(struct fields *fields, struct slice object, const struct options *options)
{
    if (fields->settled) {
        return true;
    }
    settle(&fields->text, &options->text, object, text_names, true);
    if (fields->text.depth == 0) {
        return false;
    }
    settle(&fields->score, &options->score, object, score_names, false);
    settle(&fields->id, &options->id, object, id_names, false);
    fields->settled = true;
    return true;
}

bool fields_lower_is_better(const struct fields *fields, const struct options *options)
{
    if (options->direction != DIRECTION_BY_FIELD) {
        return options->direction == DIRECTION_LOWER;
    }
    if (fields->score.depth == 0) {
        return false;
    }
    struct slice key = fields->score.keys[fields->score.depth - 1];
    for (size_t i = 0; i < sizeof distance_names / sizeof distance_names[0]; i++) {
        if (slice_equal(key, slice_of(distance_names[i]))) {
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
