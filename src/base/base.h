/*
 * base.h: what every folder stands on, and what knows no chunk.
 *
 * Memory that is there or ends the program (mem.h, arena.h), runs of bytes
 * (slice.h, simd.h), strings as small numbers (interner.h), UTF-8 and its normal forms
 * (utf8.h, normalise.h), numbers as people and JSON write them (number.h), the
 * names of an option's values (choice.h); files that are read (input.h, lines.h, and
 * progress.h for who waits) and written whole (out.h, outfile.h); messages and
 * the exit status (diag.h), and the terminal that they go to (terminal.h).
 */
#ifndef EDGEFOLD_BASE_H
#define EDGEFOLD_BASE_H

#include "arena.h"
#include "choice.h"
#include "cleanup.h"
#include "diag.h"
#include "input.h"
#include "interner.h"
#include "lines.h"
#include "mem.h"
#include "normalise.h"
#include "number.h"
#include "out.h"
#include "outfile.h"
#include "progress.h"
#include "simd.h"
#include "slice.h"
#include "terminal.h"
#include "utf8.h"

#endif
