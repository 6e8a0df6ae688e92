/*
 * place.c: where the kept chunks stand.
 *
 * A model reads the two ends of a long context best (Liu et al. 2023, "Lost in
 * the Middle"), so the best chunks go there.  The fold comes last of all: it
 * places what survived, and nothing is dropped after it.
 */
#include "base/base.h"
#include "layout.h"
#include "pipeline.h"

int fold(struct chunks *chunks, const struct options *options)
{
    place_chunks(chunks, options);
    return STATUS_OK;
}
