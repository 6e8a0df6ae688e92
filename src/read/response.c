/* response.c: see response.h. */
#include "response.h"

#include "json/json.h"

const char *response_hint(struct slice object)
{
    static const struct {
        const char *path;
        const char *hint;
    } lists[] = {
        {"hits.hits", "; this is a whole response: jq -c '.hits.hits[]' takes the chunks out"},
        {"hits", "; this is a whole response: jq -c '.hits[]' takes the chunks out"},
        {"result.points", "; this is a whole response: jq -c '.result.points[]' takes them out"},
        {"result", "; this is a whole response: jq -c '.result[]' takes the chunks out"},
        {"results", "; this is a whole response: jq -c '.results[]' takes the chunks out; a "
                    "reranker's goes to --rescore"},
        {"matches", "; this is a whole response: jq -c '.matches[]' takes the chunks out"},
        {"data", "; this is a whole response: jq -c '.data[]' takes the chunks out; a reranker's "
                 "goes to --rescore"},
        {"documents", "; this is a whole response, see edgefold-recipes(7)"},
        {"ctxs", "; this is a question with its chunks: jq -c '.ctxs[]' takes them out"},
        {"value", "; this is a whole response: jq -c '.value[]' takes the chunks out"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        struct path path;
        path_parse(&path, lists[i].path);
        bool found = value_kind_of(value_find(object, &path)) == VALUE_ARRAY;
        path_free(&path);
        if (found) {
            return lists[i].hint;
        }
    }
    return "; --text=PATH names it";
}
