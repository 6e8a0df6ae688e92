/*
 * json.h: the JSON of a line, without a tree.
 *
 * jansson says whether a line is JSON (check.h); what producers write that is
 * nearly JSON is repaired first (repair.h), and what is wrong is said in words that
 * help.  Values are then found by their paths (path.h) as slices of the line
 * (value.h), since the line leaves as it came and numbers are compared as written.
 * Only documents that are written are trees (tree.h).
 */
#ifndef EDGEFOLD_JSON_H
#define EDGEFOLD_JSON_H

#include "check.h"
#include "finder.h"
#include "hint.h"
#include "path.h"
#include "repair.h"
#include "tree.h"
#include "value.h"

#endif
