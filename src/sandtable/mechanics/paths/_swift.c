/* The compiled kernel of mechanics/paths: swift.py says what it answers and what stands in for it.

It knows no rules: prices of steps, hexes that are shut, tolls. A set of hexes is a Python int, one bit a hex.
The GIL is held all the time, so that there is one workbench for all floods. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdint.h>
#include <string.h>

#define NEVER 255
#define SIDES 6

/* A set of hexes as bytes, the first hex in the lowest bit. */
static int read_set(PyObject *set, uint8_t *bytes, Py_ssize_t size)
{
    if (!PyLong_Check(set)) {
        PyErr_SetString(PyExc_TypeError, "a set of hexes is an int");
        return -1;
    }
#if PY_VERSION_HEX >= 0x030D0000
    Py_ssize_t needed = PyLong_AsNativeBytes(
        set, bytes, size,
        Py_ASNATIVEBYTES_LITTLE_ENDIAN | Py_ASNATIVEBYTES_UNSIGNED_BUFFER | Py_ASNATIVEBYTES_REJECT_NEGATIVE);
    if (needed > size) {
        PyErr_SetString(PyExc_OverflowError, "a set holds hexes that the map has not");
        return -1;
    }
    return needed < 0 ? -1 : 0;
#else
    return _PyLong_AsByteArray((PyLongObject *)set, bytes, (size_t)size, 1, 0);
#endif
}

static PyObject *made_set(const uint8_t *bytes, Py_ssize_t size)
{
#if PY_VERSION_HEX >= 0x030D0000
    return PyLong_FromUnsignedNativeBytes(bytes, (size_t)size, Py_ASNATIVEBYTES_LITTLE_ENDIAN);
#else
    return _PyLong_FromByteArray(bytes, (size_t)size, 1, 0);
#endif
}

#define HAS(set, h) ((set)[(h) >> 3] >> ((h) & 7) & 1)

/* What tolls ask for each hex; 0 if there are none. */
static int read_tolls(PyObject *tolls, int16_t *by_hex, uint8_t *set, Py_ssize_t bytes)
{
    if (!PyTuple_Check(tolls)) {
        PyErr_SetString(PyExc_TypeError, "tolls are a tuple");
        return -1;
    }
    Py_ssize_t many = PyTuple_GET_SIZE(tolls);
    if (many)
        memset(by_hex, 0, (size_t)(8 * bytes) * sizeof(int16_t));
    for (Py_ssize_t i = 0; i < many; i++) {
        int toll;
        PyObject *hexes;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(tolls, i), "iO", &toll, &hexes) || read_set(hexes, set, bytes) < 0)
            return -1;
        for (Py_ssize_t b = 0; b < bytes; b++)
            for (unsigned rest = set[b]; rest; rest &= rest - 1)
                by_hex[8 * b + __builtin_ctz(rest)] += (int16_t)(toll > NEVER ? NEVER : toll);
    }
    return many > 0;
}

/* Places that are due, by points: a chain for each number of them. */
typedef struct {
    int32_t first[NEVER + 1];
    int32_t used;
    struct {
        int32_t hex, next;
    } *places;
} Queue;

static void empty(Queue *queue, void *places)
{
    memset(queue->first, -1, sizeof(queue->first));
    queue->used = 0;
    queue->places = places;
}

static void put(Queue *queue, int points, Py_ssize_t h)
{
    queue->places[queue->used].hex = (int32_t)h;
    queue->places[queue->used].next = queue->first[points];
    queue->first[points] = queue->used++;
}

/* What one flood reads: see `flood` in swift.py. */
typedef struct {
    Py_ssize_t size, start;
    int points, shifts[SIDES];
    const uint8_t *prices, *firm, *closed, *stop;
    const int16_t *leaving, *entering; /* NULL if there are none */
} Terms;

static void spread(const Terms *t, Queue *due, Queue *due_second, uint8_t *first, uint8_t *second)
{
    for (int spent = 0; spent <= t->points; spent++) {
        for (int32_t at = due->first[spent]; at >= 0; at = due->places[at].next) {
            Py_ssize_t h = due->places[at].hex;
            int setting_out = h == t->start;
            if (first[h] != spent || (!setting_out && HAS(t->stop, h)))
                continue;
            int away = spent + (t->leaving && !setting_out ? t->leaving[h] : 0);
            int solid = setting_out || t->firm[h];
            for (int d = 0; d < SIDES; d++) {
                int price = t->prices[h * SIDES + d];
                if (!price)
                    continue;
                Py_ssize_t n = h + t->shifts[d];
                int total = away + price + (t->entering ? t->entering[n] : 0);
                if (total > t->points || HAS(t->closed, n))
                    continue;
                if (!solid && !t->firm[n]) {
                    if (total < first[n] && total < second[n])
                        put(due_second, total, n);
                } else if (total < first[n]) {
                    first[n] = (uint8_t)total;
                    put(due, total, n);
                }
            }
        }
        for (int32_t at = due_second->first[spent]; at >= 0; at = due_second->places[at].next) {
            Py_ssize_t h = due_second->places[at].hex;
            if (first[h] <= spent || second[h] <= spent)
                continue;
            second[h] = (uint8_t)spent;
            if (HAS(t->stop, h) && h != t->start)
                continue;
            int away = spent + (t->leaving && h != t->start ? t->leaving[h] : 0);
            for (int d = 0; d < SIDES; d++) {
                int price = t->prices[h * SIDES + d];
                Py_ssize_t n = h + t->shifts[d];
                if (!price || !t->firm[n])
                    continue;
                int total = away + price + (t->entering ? t->entering[n] : 0);
                if (total <= t->points && total < first[n] && !HAS(t->closed, n)) {
                    first[n] = (uint8_t)total;
                    put(due, total, n);
                }
            }
        }
    }
}

/* Where the moves begin. */
static int begin(const Terms *t, PyObject *starts, Queue *due, uint8_t *first, uint8_t *set, Py_ssize_t bytes)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(starts); i++) {
        int spent, run;
        PyObject *hexes;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(starts, i), "iOi", &spent, &hexes, &run) ||
            read_set(hexes, set, bytes) < 0)
            return -1;
        for (Py_ssize_t b = 0; b < bytes; b++)
            for (unsigned rest = set[b]; rest; rest &= rest - 1) {
                Py_ssize_t h = 8 * b + __builtin_ctz(rest);
                int total = spent + (spent && t->entering ? t->entering[h] : 0);
                if (h < t->size && total <= t->points && total < first[h] && !(spent && HAS(t->closed, h))) {
                    first[h] = (uint8_t)total;
                    put(due, total, h);
                }
            }
    }
    return 0;
}

/* Room to work in, kept from one flood to the next: it grows with the largest map. */
static uint8_t *workbench(size_t needed)
{
    static uint8_t *bench = NULL;
    static size_t size = 0;
    if (needed > size) {
        PyMem_Free(bench);
        bench = PyMem_Malloc(needed);
        size = bench == NULL ? 0 : needed;
        if (bench == NULL)
            PyErr_NoMemory();
    }
    return bench;
}

static PyObject *flood(PyObject *module, PyObject *args)
{
    Py_buffer prices, firm;
    PyObject *starts, *closed, *stop, *leaving, *entering, *first = NULL, *second = NULL, *least = NULL, *answer = NULL;
    Terms t;
    int *s = t.shifts;
    if (!PyArg_ParseTuple(args, "(iiiiii)y*y*nO!iOOOO", s, s + 1, s + 2, s + 3, s + 4, s + 5, &prices, &firm, &t.start,
                          &PyTuple_Type, &starts, &t.points, &closed, &stop, &leaving, &entering))
        return NULL;
    Py_ssize_t size = t.size = firm.len, bytes = (size + 7) / 8;
    if (prices.len != SIDES * size || t.points >= NEVER || t.points < 0) {
        PyErr_SetString(PyExc_ValueError, "a price for each side of each hex, and points from 0 to 254");
        goto end;
    }
    /* no place is left twice, so that each step is made once at most */
    size_t most = (size_t)(2 * SIDES + PyTuple_GET_SIZE(starts)) * (size_t)size, most_second = (size_t)(SIDES * size);
    Queue due, due_second;
    uint8_t *room = workbench((most + most_second) * sizeof(due.places[0]) + (size_t)bytes * (4 + 16 * sizeof(int16_t)));
    first = PyByteArray_FromStringAndSize(NULL, size);
    second = PyByteArray_FromStringAndSize(NULL, size);
    if (room == NULL || first == NULL || second == NULL)
        goto end;
    empty(&due, room);
    empty(&due_second, due.places + most);
    int16_t *tolls = (int16_t *)(due_second.places + most_second);
    uint8_t *sets = (uint8_t *)(tolls + 16 * bytes), *found = sets + 2 * bytes, *set = sets + 3 * bytes;
    uint8_t *a = (uint8_t *)PyByteArray_AS_STRING(first), *b = (uint8_t *)PyByteArray_AS_STRING(second);
    memset(a, NEVER, (size_t)size);
    memset(b, NEVER, (size_t)size);
    memset(found, 0, (size_t)bytes);
    t.prices = prices.buf;
    t.firm = firm.buf;
    t.closed = sets;
    t.stop = sets + bytes;
    if (read_set(closed, sets, bytes) < 0 || read_set(stop, sets + bytes, bytes) < 0)
        goto end;
    int leaves = read_tolls(leaving, tolls, set, bytes);
    int enters = leaves < 0 ? -1 : read_tolls(entering, tolls + 8 * bytes, set, bytes);
    if (enters < 0)
        goto end;
    t.leaving = leaves ? tolls : NULL;
    t.entering = enters ? tolls + 8 * bytes : NULL;
    if (begin(&t, starts, &due, a, set, bytes) < 0)
        goto end;
    spread(&t, &due, &due_second, a, b);
    int dry = 0;
    for (int32_t at = 0; at < due_second.used; at++)
        dry |= b[due_second.places[at].hex] != NEVER;
    least = dry ? PyByteArray_FromStringAndSize((char *)a, size) : Py_NewRef(first);
    if (least == NULL)
        goto end;
    uint8_t *both = (uint8_t *)PyByteArray_AS_STRING(least);
    for (int32_t at = 0; at < due.used; at++)
        found[due.places[at].hex >> 3] |= (uint8_t)(1 << (due.places[at].hex & 7));
    for (int32_t at = 0; at < due_second.used; at++) {
        int32_t h = due_second.places[at].hex;
        if (b[h] < both[h])
            both[h] = b[h];
        found[h >> 3] |= (uint8_t)((both[h] != NEVER) << (h & 7));
    }
    PyObject *hexes = made_set(found, bytes);
    if (hexes != NULL)
        answer = Py_BuildValue("NOOO", hexes, first, second, least);
end:
    Py_XDECREF(first);
    Py_XDECREF(second);
    Py_XDECREF(least);
    PyBuffer_Release(&prices);
    PyBuffer_Release(&firm);
    return answer;
}

static PyObject *trace(PyObject *module, PyObject *args)
{
    Py_buffer prices, firm, first, second;
    PyObject *stop, *leaving, *entering, *answer = NULL;
    Py_ssize_t start, h;
    int s[SIDES];
    if (!PyArg_ParseTuple(args, "(iiiiii)y*y*ny*y*OOOn", s, s + 1, s + 2, s + 3, s + 4, s + 5, &prices, &firm, &start,
                          &first, &second, &stop, &leaving, &entering, &h))
        return NULL;
    Py_ssize_t size = firm.len, bytes = (size + 7) / 8, many = 0;
    const uint8_t *price = prices.buf, *solid = firm.buf, *a = first.buf, *b = second.buf;
    uint8_t *room = workbench((size_t)bytes * (2 + 16 * sizeof(int16_t)) + 2 * (size_t)size * sizeof(int32_t));
    if (room == NULL)
        goto end;
    if (prices.len != SIDES * size || first.len != size || second.len != size || h < 0 || h >= size ||
        (a[h] == NEVER && b[h] == NEVER)) {
        PyErr_SetString(PyExc_ValueError, "no way leads there");
        goto end;
    }
    int32_t *way = (int32_t *)room;
    int16_t *leave = (int16_t *)(way + 2 * size), *enter = leave + 8 * bytes;
    uint8_t *held = (uint8_t *)(enter + 8 * bytes), *set = held + bytes;
    if (read_set(stop, held, bytes) < 0)
        goto end;
    int leaves = read_tolls(leaving, leave, set, bytes);
    int enters = leaves < 0 ? -1 : read_tolls(entering, enter, set, bytes);
    if (enters < 0)
        goto end;
    int dry_run = b[h] < a[h], spent = dry_run ? b[h] : a[h], onward = -1;
    while (many < 2 * size) {
        way[many++] = (int32_t)h;
        int before = spent - (enters ? enter[h] : 0), at = 0, d = 0, found = 0, run = 0;
        Py_ssize_t n = -1;
        for (int i = onward < 0 ? 0 : -1; i < SIDES && !found; i++) {
            d = i < 0 ? onward : i;
            n = h - s[d];
            if (n < 0 || n >= size || !price[n * SIDES + d])
                continue;
            at = before - price[n * SIDES + d] - (leaves && n != start ? leave[n] : 0);
            if (at < 0 || (n != start && HAS(held, n)))
                continue;
            run = 0;
            if (!solid[h] && !solid[n] && n != start)
                found = dry_run && a[n] == at;
            else if (!dry_run && a[n] == at)
                found = 1;
            else if (!dry_run && !solid[n] && b[n] == at)
                found = run = 1;
        }
        if (!found && start >= 0 && start < size && !a[start]) { /* else it came onto the map here */
            PyErr_SetString(PyExc_AssertionError, "a hex was reached from nowhere");
            goto end;
        }
        if (!found || n == start)
            break;
        h = n;
        spent = at;
        onward = d;
        dry_run = run;
    }
    answer = PyList_New(many);
    for (Py_ssize_t i = 0; answer != NULL && i < many; i++) {
        PyObject *entered = PyLong_FromLong(way[many - 1 - i]);
        if (entered == NULL)
            Py_CLEAR(answer);
        else
            PyList_SET_ITEM(answer, i, entered);
    }
end:
    PyBuffer_Release(&prices);
    PyBuffer_Release(&firm);
    PyBuffer_Release(&first);
    PyBuffer_Release(&second);
    return answer;
}

/* Eight bytes as one number, the first in the lowest bits. */
static uint64_t eight(const uint8_t *set)
{
#define AT(i) (uint64_t)set[i] << 8 * i
    return AT(0) | AT(1) | AT(2) | AT(3) | AT(4) | AT(5) | AT(6) | AT(7);
#undef AT
}

static PyObject *within(PyObject *module, PyObject *args)
{
    Py_buffer costs;
    int points;
    if (!PyArg_ParseTuple(args, "y*i", &costs, &points))
        return NULL;
    Py_ssize_t bytes = (costs.len + 7) / 8;
    const uint8_t *cost = costs.buf, most = (uint8_t)points;
    uint8_t *set = workbench((size_t)(9 * bytes)), *in = set + bytes;
    PyObject *found = NULL;
    if (points < 0 || points > NEVER)
        PyErr_SetString(PyExc_ValueError, "points from 0 to 255");
    else if (set != NULL) {
        memset(in + costs.len, 0, (size_t)(8 * bytes - costs.len));
        for (Py_ssize_t h = 0; h < costs.len; h++)
            in[h] = cost[h] <= most;
        for (Py_ssize_t b = 0; b < bytes; b++) /* the lowest bits of eight bytes, put side by side */
            set[b] = (uint8_t)(eight(in + 8 * b) * 0x0102040810204080 >> 56);
        found = made_set(set, bytes);
    }
    PyBuffer_Release(&costs);
    return found;
}

#define HALTS 1
#define FIRST 2

static PyObject *roam(PyObject *module, PyObject *args)
{
    Py_buffer prices, flags;
    PyObject *closed, *stop, *leaving, *entering, *chain, *answer = NULL;
    Py_ssize_t start;
    int points, setting_out, s[SIDES];
    if (!PyArg_ParseTuple(args, "(iiiiii)y*y*niOOOOpO", s, s + 1, s + 2, s + 3, s + 4, s + 5, &prices, &flags, &start,
                          &points, &closed, &stop, &leaving, &entering, &setting_out, &chain))
        return NULL;
    Py_ssize_t size = prices.len / SIDES, bytes = (size + 7) / 8;
    PyObject *going = NULL, *ending = NULL;
    if (flags.len != prices.len || points >= NEVER || points < 0 || start < 0 || start >= size) {
        PyErr_SetString(PyExc_ValueError, "flags as prices, points from 0 to 254, and a start on the map");
        goto end;
    }
    Queue due;
    size_t most = (size_t)(SIDES * size + 1);
    uint8_t *room = workbench(most * sizeof(due.places[0]) + (size_t)bytes * (5 + 16 * sizeof(int16_t)));
    going = PyBytes_FromStringAndSize(NULL, size);
    ending = PyBytes_FromStringAndSize(NULL, size);
    if (room == NULL || going == NULL || ending == NULL)
        goto end;
    empty(&due, room);
    int16_t *tolls = (int16_t *)(due.places + most);
    uint8_t *sets = (uint8_t *)(tolls + 16 * bytes);
    const uint8_t *price = prices.buf, *flag = flags.buf, *shut = sets, *held = sets + bytes, *linked = sets + 2 * bytes;
    uint8_t *found = sets + 3 * bytes, *set = sets + 4 * bytes;
    uint8_t *go = (uint8_t *)PyBytes_AS_STRING(going), *end = (uint8_t *)PyBytes_AS_STRING(ending);
    memset(go, NEVER, (size_t)size);
    memset(end, NEVER, (size_t)size);
    memset(found, 0, (size_t)bytes);
    if (read_set(closed, sets, bytes) < 0 || read_set(stop, sets + bytes, bytes) < 0 ||
        read_set(chain, sets + 2 * bytes, bytes) < 0)
        goto end;
    int leaves = read_tolls(leaving, tolls, set, bytes);
    int enters = leaves < 0 ? -1 : read_tolls(entering, tolls + 8 * bytes, set, bytes);
    if (enters < 0)
        goto end;
    const int16_t *leave = tolls, *enter = tolls + 8 * bytes;
    go[start] = 0;
    put(&due, 0, start);
    for (int spent = 0; spent <= points; spent++)
        for (int32_t at = due.first[spent]; at >= 0; at = due.places[at].next) {
            Py_ssize_t h = due.places[at].hex;
            found[h >> 3] |= (uint8_t)(1 << (h & 7));
            if (go[h] != spent || (h != start && HAS(held, h)))
                continue;
            int away = spent + (leaves ? leave[h] : 0);
            for (int d = 0; d < SIDES; d++) {
                int cost = price[h * SIDES + d], how = flag[h * SIDES + d];
                if (!cost || (how & FIRST && !(setting_out && h == start)))
                    continue;
                Py_ssize_t n = h + s[d];
                if (n < 0 || n >= size || (n != start && HAS(shut, n)) || (HAS(linked, h) && HAS(linked, n)))
                    continue;
                int total = away + cost + (enters ? enter[n] : 0);
                if (total > points)
                    continue;
                if (how & HALTS) {
                    found[n >> 3] |= (uint8_t)(1 << (n & 7));
                    if (total < end[n])
                        end[n] = (uint8_t)total;
                } else if (total < go[n]) {
                    go[n] = (uint8_t)total;
                    put(&due, total, n);
                }
            }
        }
    PyObject *hexes = made_set(found, bytes);
    if (hexes != NULL)
        answer = Py_BuildValue("NOO", hexes, going, ending);
end:
    Py_XDECREF(going);
    Py_XDECREF(ending);
    PyBuffer_Release(&prices);
    PyBuffer_Release(&flags);
    return answer;
}

/* Backwards from goals, cheapest first: see `costs_to` in swift.py. */
static PyObject *costs_to(PyObject *module, PyObject *args)
{
    Py_buffer prices;
    PyObject *goals, *closed, *entering, *answer = NULL;
    int s[SIDES], far, most;
    if (!PyArg_ParseTuple(args, "(iiiiii)y*O!iiOO", s, s + 1, s + 2, s + 3, s + 4, s + 5, &prices, &PyTuple_Type, &goals,
                          &far, &most, &closed, &entering))
        return NULL;
    Py_ssize_t size = prices.len / SIDES, bytes = (size + 7) / 8, many = PyTuple_GET_SIZE(goals);
    if (prices.len != SIDES * size || far < 1 || far > 1 << 20) {
        PyErr_SetString(PyExc_ValueError, "a price for each side of each hex, and no more points than a million");
        goto end;
    }
    /* no place is left twice, so that each step is made once at most */
    size_t places = (size_t)(SIDES * size + many);
    int32_t *found = (int32_t *)workbench(((size_t)far + 2 * places + (size_t)size) * sizeof(int32_t) +
                                          (size_t)bytes * (2 + 8 * sizeof(int16_t)));
    if (found == NULL)
        goto end;
    int32_t *first = found + size, *hexes = first + far, *next = hexes + places, used = 0;
    int16_t *tolls = (int16_t *)(next + places);
    uint8_t *shut = (uint8_t *)(tolls + 8 * bytes);
    const uint8_t *price = prices.buf;
    int dear = read_tolls(entering, tolls, shut, bytes);
    if (dear < 0 || read_set(closed, shut, bytes) < 0)
        goto end;
    memset(first, -1, (size_t)far * sizeof(int32_t));
    for (Py_ssize_t h = 0; h < size; h++)
        found[h] = far;
    for (Py_ssize_t i = 0; i < many; i++) {
        Py_ssize_t h;
        int cost;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(goals, i), "ni", &h, &cost))
            goto end;
        if (h < 0 || h >= size || cost < 0 || cost >= far) {
            PyErr_SetString(PyExc_ValueError, "a goal is a hex of the map, and nearer than far");
            goto end;
        }
        found[h] = cost;
        hexes[used] = (int32_t)h;
        next[used] = first[cost];
        first[cost] = used++;
    }
    for (int points = 0; points < far && points <= most; points++)
        for (int32_t at = first[points]; at >= 0; at = next[at]) {
            int32_t h = hexes[at];
            if (found[h] != points)
                continue;
            int so_far = points + (dear ? tolls[h] : 0);
            for (int d = 0; d < SIDES; d++) {
                Py_ssize_t n = h - s[d];
                if (n < 0 || n >= size || !price[n * SIDES + d] || HAS(shut, n))
                    continue;
                int total = so_far + price[n * SIDES + d];
                if (total >= found[n])
                    continue;
                found[n] = total;
                if (total <= most) {
                    hexes[used] = (int32_t)n;
                    next[used] = first[total];
                    first[total] = used++;
                }
            }
        }
    answer = PyList_New(size);
    for (Py_ssize_t h = 0; answer != NULL && h < size; h++) {
        PyObject *cost = PyLong_FromLong(found[h]);
        if (cost == NULL)
            Py_CLEAR(answer);
        else
            PyList_SET_ITEM(answer, h, cost);
    }
end:
    PyBuffer_Release(&prices);
    return answer;
}

static PyObject *listed(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    if (given != 2 || !PyList_Check(args[0]) || !PyTuple_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "listed is asked with a list and a tuple of sets");
        return NULL;
    }
    PyObject *table = args[0], *masks = args[1];
    Py_ssize_t many = PyTuple_GET_SIZE(masks), entries = PyList_GET_SIZE(table);
    if (!many || entries % many) {
        PyErr_SetString(PyExc_ValueError, "the table has an entry for each member in each set");
        return NULL;
    }
    Py_ssize_t bytes = (entries / many + 63) / 64 * 8, total = 0;
    uint8_t few[2048], *sets = many * bytes > (Py_ssize_t)sizeof(few) ? PyMem_Malloc((size_t)(many * bytes)) : few;
    PyObject *found = NULL;
    if (sets == NULL)
        return PyErr_NoMemory();
    for (Py_ssize_t i = 0; i < many; i++)
        if (read_set(PyTuple_GET_ITEM(masks, i), sets + i * bytes, bytes) < 0)
            goto end;
    for (Py_ssize_t b = 0; b < many * bytes; b += 8)
        total += __builtin_popcountll(eight(sets + b));
    found = PyList_New(total);
    Py_ssize_t at = 0;
    for (Py_ssize_t b = 0; found != NULL && b < bytes; b += 8) {
        uint64_t any = 0;
        for (Py_ssize_t i = 0; i < many; i++)
            any |= eight(sets + i * bytes + b);
        for (; any; any &= any - 1) {
            Py_ssize_t member = 8 * b + __builtin_ctzll(any);
            if (member * many >= entries) {
                PyErr_SetString(PyExc_OverflowError, "a set has members that the table has not");
                Py_CLEAR(found);
                goto end;
            }
            for (Py_ssize_t i = 0; i < many; i++)
                if (HAS(sets + i * bytes, member))
                    PyList_SET_ITEM(found, at++, Py_NewRef(PyList_GET_ITEM(table, member * many + i)));
        }
    }
end:
    if (sets != few)
        PyMem_Free(sets);
    return found;
}

static PyMethodDef methods[] = {
    {"flood", flood, METH_VARARGS, "What every place costs: see swift.py."},
    {"trace", trace, METH_VARARGS, "The way to a place: see swift.py."},
    {"within", within, METH_VARARGS, "The hexes that cost no more: see swift.py."},
    {"roam", roam, METH_VARARGS, "Where one move leads: see swift.py."},
    {"costs_to", costs_to, METH_VARARGS, "How far it is to goals: see swift.py."},
    {"listed", (PyCFunction)(void (*)(void))listed, METH_FASTCALL, "The entries of a table for the members of sets: see swift.py."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_swift", "The compiled kernel of swift.py.", 0, methods,
                                        NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__swift(void)
{
    return PyModule_Create(&definition);
}
