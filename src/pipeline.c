/* pipeline.c: see pipeline.h. */
#include "pipeline.h"

typedef int stage(struct chunks *chunks, const struct options *options);

/* Each stage is given the options of its own concern, and of those that it stands on. */

static int fuse_lists(struct chunks *chunks, const struct options *options)
{
    return options->rank.fuse ? fuse(chunks, &options->rank) : STATUS_OK;
}

static int take_scores(struct chunks *chunks, const struct options *options)
{
    return options->rank.rescore != NULL ? rescore(chunks, &options->rank) : STATUS_OK;
}

static int pin_named(struct chunks *chunks, const struct options *options)
{
    return options->rank.pin_count > 0 ? pin(chunks, &options->rank) : STATUS_OK;
}

static int rank_all(struct chunks *chunks, const struct options *options)
{
    return rank(chunks, &options->rank);
}

static int drop_duplicates(struct chunks *chunks, const struct options *options)
{
    return options->dedup.off ? STATUS_OK : dedup(chunks, &options->dedup);
}

static int group_all(struct chunks *chunks, const struct options *options)
{
    return options->rank.group.depth > 0 ? group(chunks, &options->rank) : STATUS_OK;
}

static int keep_top(struct chunks *chunks, const struct options *options)
{
    return top(chunks, &options->rank);
}

static int keep_budget(struct chunks *chunks, const struct options *options)
{
    return budget(chunks, &options->budget, &options->place, &options->prompt);
}

static int place_kept(struct chunks *chunks, const struct options *options)
{
    int status = place(chunks, &options->place);
    if (options->output.shows_repeats && options->place.stitch == 0) {
        place_measure_repeats(chunks);
    }
    return status;
}

static int check_counter(struct chunks *chunks, const struct options *options)
{
    (void)chunks;
    return counter_check(options->budget.counter);
}

static int write_kept(struct chunks *chunks, const struct options *options)
{
    if (place_sweeps(&options->place)) {
        return write_sweep(chunks, &options->place, &options->prompt);
    }
    if (prompt_is_wanted(&options->prompt)) {
        return chunks->group.at != NULL ? write_group_prompt(chunks, &options->prompt)
                                        : write_prompt(chunks, &options->prompt, &options->output);
    }
    return write_chunks(chunks, &options->output);
}

static int print_stats(struct chunks *chunks, const struct options *options)
{
    return options->output.stats ? stats(chunks, &options->budget) : STATUS_OK;
}

static int print_explanation(struct chunks *chunks, const struct options *options)
{
    size_t much = options->output.explain;
    return much > 0 ? explain(chunks, &options->budget, much > 1) : STATUS_OK;
}

int pipeline_why(struct chunks *chunks, const struct options *options, bool *told)
{
    struct why_options all = {&options->output, &options->dedup, &options->budget, &options->place,
                              &options->prompt};
    return options->output.why_count > 0 ? why(chunks, &all, told) : STATUS_OK;
}

static int tell_why(struct chunks *chunks, const struct options *options)
{
    return pipeline_why(chunks, options, NULL);
}

static int compare_runs(struct chunks *chunks, const struct options *options)
{
    const struct output_options *output = &options->output;
    return output->compare != NULL ? compare(chunks, output, options_show(options)) : STATUS_OK;
}

/* In either form; status is that of the run so far. */
static int report_as(struct chunks *chunks, const struct options *options, int status)
{
    const struct output_options *output = &options->output;
    return report_is_page(output->report)
               ? report_page(chunks, output, &options->budget, &options->prompt,
                             options_show(options), status)
               : report(chunks, output, options_show(options), status);
}

static int write_report(struct chunks *chunks, const struct options *options)
{
    return options->output.report != NULL ? report_as(chunks, options, STATUS_OK) : STATUS_OK;
}

static int write_dropped(struct chunks *chunks, const struct options *options)
{
    return options->output.dropped != NULL ? dropped(chunks, &options->output) : STATUS_OK;
}

static int check_required(struct chunks *chunks, const struct options *options)
{
    return require(chunks, &options->output);
}

static stage *const stages[] = {
    fuse_lists,        take_scores, pin_named,    rank_all,      drop_duplicates, group_all,
    keep_top,          keep_budget, place_kept,   check_counter, write_kept,      print_stats,
    print_explanation, tell_why,    compare_runs, write_report,  write_dropped,   check_required,
};

/* Those of a group: the others come at the end, for all of them. */
static stage *const group_stages[] = {
    pin_named,   rank_all,   drop_duplicates, group_all,  keep_top,
    keep_budget, place_kept, check_counter,   write_kept, print_explanation,
};

/* Says why there is no output, where no stage has. */
static int report_nothing_left(const struct chunks *chunks)
{
    if (chunks->count == 0) {
        return diag_error(STATUS_NO, "no chunk came in, so there is no prompt");
    }
    struct buf reasons = {0};
    fate_add_counts(&reasons, "", chunks);
    diag_error(STATUS_NO, "no chunk is left of %zu: %.*s", chunks->count, (int)reasons.len,
               reasons.at);
    buf_free(&reasons);
    return STATUS_NO;
}

static int worse(int a, int b)
{
    return a > b ? a : b;
}

static int run(stage *const *all, size_t count, struct chunks *chunks,
               const struct options *options)
{
    int status = STATUS_OK;
    for (size_t i = 0; i < count && status < STATUS_USAGE; i++) {
        status = worse(status, all[i](chunks, options));
    }
    return status;
}

int pipeline(struct chunks *chunks, const struct options *options)
{
    int status = read_chunks(chunks, &options->read);
    if (status < STATUS_USAGE) {
        status = worse(status, run(stages, sizeof stages / sizeof stages[0], chunks, options));
    }
    if (status == STATUS_INPUT && options->output.report != NULL) {
        return worse(status, report_as(chunks, options, status));
    }
    bool empty_is_fine = chunks->count == 0 && !prompt_is_wanted(&options->prompt);
    if (status == STATUS_OK && chunks->placed_count == 0 && !empty_is_fine) {
        return report_nothing_left(chunks);
    }
    return status;
}

int pipeline_group(struct chunks *chunks, const struct options *options)
{
    int status = run(group_stages, sizeof group_stages / sizeof group_stages[0], chunks, options);
    return chunks->placed_count == 0 ? worse(status, STATUS_NO) : status;
}
