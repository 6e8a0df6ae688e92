/*
 * pipeline.h: the way of a chunk.
 *
 *     read -> fuse -> rescore -> pin -> rank -> dedup -> group -> top -> budget -> place
 *          -> write | prompt | sweep -> stats, explain, report, dropped, require
 *
 * A stage marks chunks with a fate and puts them in order; it never removes one,
 * so that there is always an answer to why a chunk is not in the output.  Stages
 * know nothing of each other.  Each returns STATUS_OK, or another status after a
 * message: from STATUS_USAGE on the run ends there, STATUS_NO is remembered.
 *
 * Folders are concerns.  Each has one header of its own name, which is all that
 * others include, and stands on those to the right of its arrow alone:
 *
 *     base   ->
 *     json   -> base
 *     chunk  -> base json
 *     tokens -> base
 *     read   -> base json chunk
 *     rank   -> base json chunk
 *     dedup  -> base json chunk
 *     place  -> base json chunk
 *     prompt -> base json chunk
 *     fit    -> base chunk place prompt tokens
 *     output -> base json chunk dedup place prompt fit tokens
 *     cli    -> base json tokens read rank dedup place prompt fit output
 *     main   -> base chunk read rank dedup place prompt fit output cli tokens
 *
 * chunk is chunk.h, fate.h and ids.h, and main is this file, main.c and each.c, which goes this
 * way for one group of lines after the other.
 */
#ifndef EDGEFOLD_PIPELINE_H
#define EDGEFOLD_PIPELINE_H

#include "chunk.h"
#include "cli/cli.h"

/* Runs all stages on chunks, which are to be freed then; returns the exit status. */
int pipeline(struct chunks *chunks, const struct options *options);

/*
 * The same for one group of --each, which has been read: without the files of all groups
 * and what is required, and where no chunk is left STATUS_NO without a message.
 */
int pipeline_group(struct chunks *chunks, const struct options *options);

/* Tells what became of the chunks that --why names, with told as why() takes it. */
int pipeline_why(struct chunks *chunks, const struct options *options, bool *told);

#endif
