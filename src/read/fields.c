/* fields.c: see fields.h. */
#include "fields.h"

#include <stddef.h>

#include "json/json.h"

/*
 * Known names, the likeliest first; a reranker's score before a retriever's.  A new
 * one is a row here and a line in the manual.
 */
struct known_name {
    const char *path;
    bool lower_is_better;
};
static const struct known_name text_names[] = {
    {"text", false},         {"content", false},         {"page_content", false},
    {"chunk", false},        {"chunk_text", false},      {"passage", false},
    {"body", false},         {"snippet", false},         {"document.text", false},
    {"document", false},     {"node.text", false},       {"payload.text", false},
    {"_source.text", false}, {"_source.content", false}, {"metadata.text", false},
};
static const struct known_name score_names[] = {
    {"relevance_score", false}, {"_relevance_score", false}, {"rerank_score", false},
    {"score", false},           {"_score", false},           {"similarity", false},
    {"distance", true},         {"_distance", true},         {"vector_distance", true},
};
static const struct known_name id_names[] = {
    {"id", false},    {"_id", false},    {"id_", false},      {"node_id", false},
    {"docid", false}, {"doc_id", false}, {"chunk_id", false},
};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* Parses a path that has been parsed before, so that each owner has its own. */
static void copy_path(struct path *to, const char *written)
{
    path_parse(to, written);
}

/* The first of the names that the object has, as a string where that is asked for. */
static void search(struct path *path, struct slice object, const struct known_name *names,
                   size_t count, bool must_be_string)
{
    for (size_t i = 0; i < count; i++) {
        copy_path(path, names[i].path);
        enum value_kind kind = value_kind_of(value_find(object, path));
        if (must_be_string ? kind == VALUE_STRING : kind != VALUE_ABSENT) {
            return;
        }
        path_free(path);
    }
}

static void settle(struct path *path, const struct path *named, struct slice object,
                   const struct known_name *names, size_t count)
{
    if (named->depth > 0) {
        copy_path(path, named->written);
    } else {
        search(path, object, names, count, names == text_names);
    }
}

bool fields_settle(struct fields *fields, struct slice object, const struct read_options *options)
{
    if (fields->settled) {
        return true;
    }
    settle(&fields->text, &options->text, object, text_names, COUNT(text_names));
    if (fields->text.depth == 0) {
        return false;
    }
    settle(&fields->score, &options->score, object, score_names, COUNT(score_names));
    settle(&fields->id, &options->id, object, id_names, COUNT(id_names));
    fields->settled = true;
    return true;
}

bool fields_lower_is_better(const struct fields *fields, const struct read_options *options)
{
    if (options->direction != DIRECTION_BY_FIELD) {
        return options->direction == DIRECTION_LOWER;
    }
    if (fields->score.depth == 0) {
        return false;
    }
    struct slice key = fields->score.keys[fields->score.depth - 1];
    for (size_t i = 0; i < COUNT(score_names); i++) {
        if (slice_equal(key, slice_of(score_names[i].path))) {
            return score_names[i].lower_is_better;
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
