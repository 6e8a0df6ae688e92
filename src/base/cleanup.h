/*
 * cleanup.h: what is put right when a signal ends the program.
 *
 * A file that is half written is taken away, a line on the terminal erased; then the
 * program dies of the same signal.
 */
#ifndef EDGEFOLD_CLEANUP_H
#define EDGEFOLD_CLEANUP_H

/* From here on the file of that name is removed; the name must live until cleanup_keep(). */
void cleanup_remove(const char *name);
void cleanup_keep(void);

/* From here on these bytes are written to standard error; NULL: none. */
void cleanup_print(const char *bytes);

#endif
