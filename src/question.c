/* question.c: see question.h. */
#include "question.h"

#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "input.h"
#include "mem.h"
#include "tokens.h"
#include "utf8.h"

/* Reads the file that --question-file names, if the question comes from there. */
static int load_question(struct options *options, struct input *file)
{
    if (!options->has_question || options->question_file == NULL) {
        return STATUS_OK;
    }
    for (size_t i = 0; i < options->file_count; i++) {
        if (strcmp(options->question_file, "-") == 0 && strcmp(options->files[i], "-") == 0) {
            return diag_usage("the question and the chunks cannot both come from standard input");
        }
    }
    int status = input_load(file, options->question_file, false);
    if (status == STATUS_OK) {
        options->question = (struct slice){file->bytes, file->length};
    }
    return status;
}

/* The question as it will be printed: UTF-8 without NUL, without a byte-order mark or line ends at
 * its end. */
static void settle_question(struct options *options)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    struct slice question = options->question;
    if (question.len >= 3 && memcmp(question.at, byte_order_mark, 3) == 0) {
        question.at += 3;
        question.len -= 3;
    }
    while (question.len > 0 &&
           (question.at[question.len - 1] == '\n' || question.at[question.len - 1] == '\r')) {
        question.len--;
    }
    for (const char *end = question.at + question.len; question.at < end;) {
        const char *nul = memchr(question.at, '\0', (size_t)(end - question.at));
        question.len = (size_t)((nul != NULL ? nul : end) - question.at);
        utf8_add_repaired(&options->question_text, question);
        if (nul != NULL) {
            buf_add_string(&options->question_text, "\xef\xbf\xbd");
        }
        question.at += question.len + (nul != NULL);
    }
    options->question = buf_slice(&options->question_text);
}

int question_settle(struct options *options)
{
    if (!options->has_question) {
        return STATUS_OK;
    }
    struct input file = {0};
    int status = load_question(options, &file);
    if (status == STATUS_OK) {
        settle_question(options);
    }
    free(file.bytes);
    if (status == STATUS_OK && tokens_words(options->question) == 0) {
        return diag_usage("the question is empty");
    }
    if (!options->format_given) {
        options->format = FORMAT_XML;
    }
    return status;
}
