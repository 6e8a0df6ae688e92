/*
 * setters.h: options whose arguments are more than one value of a common kind.
 *
 * Each takes the struct options and an option's argument (NULL for an option
 * without one) and returns NULL, or what the argument should have been.
 */
#ifndef EDGEFOLD_SETTERS_H
#define EDGEFOLD_SETTERS_H

const char *set_higher(void *target, const char *argument);
const char *set_lower(void *target, const char *argument);
const char *set_fuse(void *target, const char *argument);
const char *set_weights(void *target, const char *argument);
const char *set_min_score(void *target, const char *argument);
const char *set_dedup(void *target, const char *argument);
const char *set_no_dedup(void *target, const char *argument);
const char *set_similarity(void *target, const char *argument);
const char *set_dedup_field(void *target, const char *argument);
const char *set_margin(void *target, const char *argument);
const char *set_count_only(void *target, const char *argument);
const char *set_compile_vocab(void *target, const char *argument);
const char *set_fit(void *target, const char *argument);
const char *set_layout(void *target, const char *argument);
const char *set_question(void *target, const char *argument);
const char *set_question_file(void *target, const char *argument);
const char *set_format(void *target, const char *argument);
const char *set_header(void *target, const char *argument);
const char *set_instructions(void *target, const char *argument);
const char *set_no_instructions(void *target, const char *argument);
const char *set_refusal(void *target, const char *argument);
const char *set_escape(void *target, const char *argument);
const char *set_annotate(void *target, const char *argument);
const char *set_require(void *target, const char *argument);
const char *set_require_edge(void *target, const char *argument);
const char *set_help(void *target, const char *argument);
const char *set_version(void *target, const char *argument);

#endif
