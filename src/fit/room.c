/* room.c: see room.h. */
#include "room.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/base.h"

/* Steps down the costs for one of them, if each room were tried from the first cost on. */
#define MOST_STEPS 50000000

/* Rooms from one to before another, in which all costs before `at` have the same fate. */
struct stretch_of_rooms {
    size_t at;
    size_t first;
    size_t end;  /* SIZE_MAX: none */
    size_t left; /* of the first, for the cost at `at` */
};

/*
 * Stretches of rooms, smaller rooms first.  Where a cost is taken only in the larger rooms
 * of a stretch, these are put aside: all that is before the cost need not be tried again.
 */
struct rooms {
    const size_t *costs;
    const bool *wanted;
    size_t *found;
    size_t *tried; /* by cost: rooms in which it was tried */
    size_t open;   /* costs up to the last wanted one that is not found or given up */
    struct stretch_of_rooms *aside; /* the next one is the last */
    size_t aside_count;
};

static void close_found(struct rooms *rooms)
{
    while (rooms->open > 0 &&
           (!rooms->wanted[rooms->open - 1] || rooms->found[rooms->open - 1] != SIZE_MAX)) {
        rooms->open--;
    }
}

/* What a stretch says of a wanted cost, before that is decided on in it. */
static void note(struct rooms *rooms, const struct stretch_of_rooms *stretch)
{
    size_t at = stretch->at;
    if (!rooms->wanted[at] || rooms->found[at] != SIZE_MAX) {
        return;
    }
    if (rooms->tried[at]++ > (MOST_STEPS - 1) / (at + 2)) {
        rooms->found[at] = 0;
    } else if (rooms->costs[at] <= stretch->left) {
        rooms->found[at] = stretch->first;
    }
    if (rooms->found[at] != SIZE_MAX) {
        close_found(rooms);
    }
}

/* Goes down the costs with a stretch, which becomes shorter on the way. */
static void go_down(struct rooms *rooms, struct stretch_of_rooms stretch)
{
    for (; stretch.at < rooms->open; stretch.at++) {
        size_t cost = rooms->costs[stretch.at];
        note(rooms, &stretch);
        if (cost <= stretch.left) {
            stretch.left -= cost;
            continue;
        }
        size_t lacks = cost - stretch.left;
        if (lacks < stretch.end - stretch.first) {
            size_t middle = stretch.first + lacks;
            rooms->aside[rooms->aside_count++] =
                (struct stretch_of_rooms){stretch.at, middle, stretch.end, cost};
            stretch.end = middle;
        }
    }
}

size_t *rooms_for(const size_t *costs, size_t count, const bool *wanted, size_t room)
{
    struct rooms rooms = {.costs = costs, .wanted = wanted, .open = count};
    rooms.found = mem_zeroed(count, sizeof *rooms.found);
    rooms.tried = mem_zeroed(count, sizeof *rooms.tried);
    rooms.aside = mem_zeroed(count + 1, sizeof *rooms.aside);
    for (size_t i = 0; i < count; i++) {
        rooms.found[i] = wanted[i] ? SIZE_MAX : 0;
    }
    close_found(&rooms);
    go_down(&rooms, (struct stretch_of_rooms){0, room, SIZE_MAX, room});
    while (rooms.aside_count > 0 && rooms.open > 0) {
        go_down(&rooms, rooms.aside[--rooms.aside_count]);
    }
    free(rooms.tried);
    free(rooms.aside);
    return rooms.found;
}
