/* room.h: in how much room things have a place when what does not fit is passed over. */
#ifndef EDGEFOLD_ROOM_H
#define EDGEFOLD_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * For each wanted one of so many costs: the least room, from `room` up, in which it is taken
 * when one cost after the other is taken that fits what is left.  A larger room may take a
 * better one instead, so all rooms are tried at which a decision changes.  0 where that
 * takes too long to find.  By cost; to be given to free().
 */
size_t *rooms_for(const size_t *costs, size_t count, const bool *wanted, size_t room);

#endif
