/*
 * json_room: memory for jansson's objects that are freed together. While a thread is in a room, its objects are cut
 * from the room. That takes less time than malloc, and no thread waits for another one where one of them frees what the
 * other one made. Objects are still released with json_decref, because a room that is full continues in ordinary
 * memory, and so does an object that is changed outside of the room. Any thread; a room is used by one at a time.
 */
#pragma once

struct json_room;

/*
 * Makes room for that many threads. Only for the program, before it starts threads: it sets the functions with
 * which jansson allocates, which a library must not do to its host. Without this call there are no rooms.
 */
void json_rooms_begin(unsigned threads);

/* NULL if there is none left: all functions here take that, and objects are then in ordinary memory. */
struct json_room *json_room_take(void);
void json_room_give_back(struct json_room *room);

/* From now on this thread's objects are in the room; NULL: in none. Returns the room where they were before. */
struct json_room *json_room_enter(struct json_room *room);

/* Its memory is used again, unless there are objects in it that have not been released. */
void json_room_clear(struct json_room *room);
