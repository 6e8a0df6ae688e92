/*
 * cleanup.h: what is put right when a signal ends the program.
 *
 * A file that is half written is taken away, a line on the terminal erased; then the
 * program dies of the same signal.
 */
#ifndef EDGEFOLD_CLEANUP_H
#define EDGEFOLD_CLEANUP_H

#include <stddef.h>

/* Files that can be half written at a time. */
#define CLEANUP_FILES 2

/*
 * As mkstemp(), and the file that it makes is removed from the moment that it is there;
 * the name must live until it is given to cleanup_keep().
 */
int cleanup_mkstemp(char *name);
void cleanup_keep(const char *name);

/* Removes such files at once, for who ends the program without a signal. */
void cleanup_files(void);

/* From here on these bytes are written to standard error; NULL: none. */
void cleanup_print(const char *bytes);

/*
 * From here on a fault in the bytes that are mapped there, as of a file that is cut
 * short meanwhile, writes the message and ends the program with STATUS_SYSTEM.  One
 * mapping at a time; NULL: none.  The message must live until then.
 */
void cleanup_mapped(const void *from, size_t length, const char *message);

#endif
