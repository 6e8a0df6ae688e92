/*
 * setters.h: options whose arguments are more than one value of a common kind.
 *
 * Each setter takes an option's argument (NULL for an option without one) and
 * returns NULL, or what the argument should have been; what shows a value returns a
 * new reference.
 */
#ifndef EDGEFOLD_SETTERS_H
#define EDGEFOLD_SETTERS_H

#include <jansson.h>

#include "cli.h"

const char *set_higher(struct options *options, const char *argument);
const char *set_lower(struct options *options, const char *argument);
const char *set_fuse(struct options *options, const char *argument);
const char *set_weights(struct options *options, const char *argument);
const char *set_min_score(struct options *options, const char *argument);
const char *set_dedup(struct options *options, const char *argument);
const char *set_no_dedup(struct options *options, const char *argument);
const char *set_margin(struct options *options, const char *argument);
const char *set_count_only(struct options *options, const char *argument);
const char *set_compile_vocab(struct options *options, const char *argument);
const char *set_completion(struct options *options, const char *argument);
const char *set_table(struct options *options, const char *argument);
const char *set_question(struct options *options, const char *argument);
const char *set_question_file(struct options *options, const char *argument);
const char *set_header(struct options *options, const char *argument);
const char *set_instructions(struct options *options, const char *argument);
const char *set_no_instructions(struct options *options, const char *argument);
const char *set_refusal(struct options *options, const char *argument);
const char *set_annotate(struct options *options, const char *argument);
const char *set_why(struct options *options, const char *argument);
const char *set_require(struct options *options, const char *argument);
const char *set_require_edge(struct options *options, const char *argument);
const char *set_items(struct options *options, const char *argument);
const char *set_overhead(struct options *options, const char *argument);
const char *set_stitch(struct options *options, const char *argument);
const char *set_pin_first(struct options *options, const char *argument);
const char *set_pin_last(struct options *options, const char *argument);
const char *set_help(struct options *options, const char *argument);
const char *set_version(struct options *options, const char *argument);

json_t *show_fuse(const struct options *options);
json_t *show_weights(const struct options *options);
json_t *show_min_score(const struct options *options);
json_t *show_dedup(const struct options *options);
json_t *show_margin(const struct options *options);
json_t *show_question(const struct options *options);
json_t *show_annotate(const struct options *options);
json_t *show_items(const struct options *options);
json_t *show_overhead(const struct options *options);
json_t *show_stitch(const struct options *options);
json_t *show_pin_first(const struct options *options);
json_t *show_pin_last(const struct options *options);
json_t *show_header(const struct options *options);
json_t *show_instructions(const struct options *options);
json_t *show_why(const struct options *options);
json_t *show_require(const struct options *options);

void free_weights(struct options *options);
void free_why(struct options *options);
void free_requirements(struct options *options);
void free_items(struct options *options);
void free_pins(struct options *options);
void free_prompt(struct options *options);

#endif
