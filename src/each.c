/* each.c: see each.h. */
#include "each.h"

#include <stdlib.h>

#include "pipeline.h"

/* All groups together. */
struct groups {
    struct totals totals;
    size_t count;
    size_t written;          /* groups of which something is left */
    size_t failed;           /* groups that lack what is required of them */
    struct outfile *reports; /* a document for each, one a line; or NULL */
    struct outfile *dropped;
    bool *told; /* by the ids of --why: some group has it */
};

static void add_group(struct groups *groups, struct chunks *chunks, int status,
                      const struct output_options *options)
{
    bool lacks = require(chunks, options) != STATUS_OK;
    groups->count++;
    groups->written += chunks->placed_count > 0;
    groups->failed += lacks || (chunks->placed_count > 0 && status == STATUS_NO);
    totals_add(&groups->totals, chunks);
}

/* What is said of a group names it. */
static void name_group(struct buf *scope, const struct chunks *chunks)
{
    enum { SHOWN = 60 }; /* bytes */
    struct slice name = utf8_start(chunks->group, SHOWN);
    scope->len = 0;
    buf_add_format(scope, "group '%.*s': ", (int)name.len, name.at);
    buf_add_byte(scope, '\0');
    diag_scope(scope->at);
}

static int run_group(struct chunks *chunks, struct options *options, struct groups *groups)
{
    if (options->read.question.depth > 0) {
        options->prompt.has_question = chunks->question.at != NULL;
    }
    if (chunks->question.at != NULL) {
        prompt_ask(&options->prompt, chunks->question);
    }
    int status = pipeline_group(chunks, options);
    if (status < STATUS_USAGE) {
        add_group(groups, chunks, status, &options->output);
        int said = pipeline_why(chunks, options, groups->told);
        status = said > status ? said : status;
        if (groups->reports != NULL) {
            report_add_line(groups->reports, chunks, &options->output, options_show(options),
                            STATUS_OK);
        }
        if (groups->dropped != NULL) {
            dropped_add(groups->dropped, chunks, &options->output);
        }
    }
    return status;
}

/* The unusable lines of an input in which no group has begun. */
static void add_ungrouped(struct groups *groups, const struct chunks *chunks,
                          const struct output_options *options)
{
    totals_add(&groups->totals, chunks);
    if (groups->dropped != NULL) {
        dropped_add(groups->dropped, chunks, options);
    }
}

/* Nothing of the files is to be seen before it is certain that the run gets that far. */
static struct outfile *open_file(const char *name)
{
    return name != NULL ? outfile_open(name, OUTFILE_AT_END) : NULL;
}

static int commit(struct outfile **file)
{
    int status = *file != NULL ? outfile_commit(*file) : STATUS_OK;
    *file = NULL;
    return status;
}

/* What of all groups goes to files. */
static int write_files(struct groups *groups)
{
    int status = commit(&groups->reports);
    return status == STATUS_OK ? commit(&groups->dropped) : status;
}

/* After an error: what belongs to the groups that stand, and the error, which is the status. */
static int write_failed(struct groups *groups, const struct chunks *chunks,
                        const struct options *options, int failure)
{
    if (groups->reports != NULL) {
        report_add_line(groups->reports, chunks, &options->output, options_show(options), failure);
    }
    int status = write_files(groups);
    return status != STATUS_OK ? status : failure;
}

/* What of all groups goes to files and standard error in the end. */
static int finish(struct groups *groups, const struct options *options)
{
    int status = why_untold(&options->output, groups->told, groups->count);
    require_unfound(&options->output);
    bool lacks_pins = pin_unfound(&options->rank, groups->count) != STATUS_OK;
    if (status == STATUS_OK && options->output.stats) {
        status = stats_total(&groups->totals, groups->count, &options->budget);
    }
    if (status == STATUS_OK) {
        status = write_files(groups);
    }
    if (status != STATUS_OK) {
        return status;
    }
    if (groups->count == 0 && groups->totals.read > 0) {
        return diag_error(STATUS_NO, "no chunk is left of %zu: %zu %s", groups->totals.read,
                          groups->totals.read, fate_name(FATE_INVALID));
    }
    if (groups->count > 0 && groups->written == 0) {
        return diag_error(STATUS_NO, "of none of the %zu groups is a chunk left", groups->count);
    }
    if (groups->written < groups->count) {
        diag_warn("groups of which no chunk is left: %zu of %zu", groups->count - groups->written,
                  groups->count);
    }
    return groups->failed > 0 || lacks_pins ? STATUS_NO : STATUS_OK;
}

int each(struct options *options)
{
    struct groups groups = {.reports = open_file(options->output.report),
                            .dropped = open_file(options->output.dropped),
                            .told = mem_zeroed(options->output.why_count + 1, sizeof(bool))};
    struct buf scope = {0};
    struct stream *stream = stream_new(&options->read);
    options->rank.pin_table = pin_table_new(&options->rank);
    options->output.require_table = require_table_new(&options->output);
    int status = STATUS_OK;
    bool more = true;
    while (more && status < STATUS_USAGE) {
        struct chunks chunks = {0};
        diag_scope(NULL);
        status = stream_next(stream, &chunks);
        /* Files stay as they are, as without groups, where a first one cannot be read. */
        bool stands = status == STATUS_SYSTEM && groups.count > 0;
        more = chunks.group.at != NULL;
        if (status == STATUS_OK && more) {
            name_group(&scope, &chunks);
            status = run_group(&chunks, options, &groups);
        } else if (status == STATUS_OK) {
            add_ungrouped(&groups, &chunks, &options->output);
        }
        if (status == STATUS_INPUT || stands) {
            status = write_failed(&groups, &chunks, options, status);
        }
        chunks_free(&chunks);
    }
    diag_scope(NULL);
    if (status < STATUS_USAGE) {
        status = finish(&groups, options);
    }
    pin_table_free(options->rank.pin_table);
    options->rank.pin_table = NULL;
    require_table_free(options->output.require_table);
    options->output.require_table = NULL;
    stream_free(stream);
    buf_free(&scope);
    free(groups.told);
    outfile_abandon(groups.reports);
    outfile_abandon(groups.dropped);
    return status;
}
