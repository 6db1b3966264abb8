/* What the C of a ruleset leans on: the numbers of a state, lists that live as long as one call, chance, the way back.

   Every call from Python has a `K`. The state stays the list that Python knows: reading takes a number out of it, writing
   puts one in and remembers what was there. Whatever is not plain sailing (a fault of the rules, a number that is too
   large, a place that is not there) is a miss: what was written is put back, and the Python function of the same name does
   it all again. So this code never complains, and what players are told is what Python says. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

typedef long long I;
typedef PyObject *O;
typedef struct { I n, room, *p; } L;                   /* a list of numbers; n = -1 is None */
typedef struct { I n, room; L *p; } LL;                /* a list of lists */
typedef struct { L key; I one; L list; } Entry;
typedef struct { I n, room; Entry *p; } D;             /* by key, one number or several: a number, or a list */
typedef struct { I at; O old; } Was;
typedef struct Chunk { struct Chunk *before; } Chunk;

#define NONE ((I)(-0x7fffffffffffffffLL - 1))
#define LARGE ((I)1 << 62)
#define NEAR ((I)1 << 40)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((cold, noinline))

enum { MISSED = 1, RAISED, UNMET, STOPPED };
enum { FIRST_BYTES = 16384, FIRST_TRAIL = 128, MOST_BYTES = 1 << 28, SMALL_LOW = -256, SMALL_HIGH = 1024 };

typedef struct {
    O *s, S, C;            /* the places of the state; it and its context, as Python knows them */
    O words;               /* of chance; NULL until they are needed */
    char *free, *end;      /* room for lists */
    Chunk *chunks;
    I taken;
    Was *was;              /* what was overwritten, in order */
    I trail, trail_room;
    O snapshot;            /* the state before Python wrote in it, and how much had been overwritten by then */
    I snapshot_at;
    I unmet;               /* which requirement does not hold */
    I left, left_before;   /* how many passes may still be made, and how many might at the beginning; -1: not asked yet */
    int told;              /* whether Python knows of some that were made */
    int why;
    jmp_buf back;
    Was first_was[FIRST_TRAIL];
    char first_bytes[FIRST_BYTES] __attribute__((aligned(16)));
} K;

static I MISSES; /* so often it was left to Python */
static O MODULE, FALLBACK, UNMET_CLASS, STOP_CLASS, LEFT, WORDS, MORE, DRY, SMALL[SMALL_HIGH - SMALL_LOW];

static COLD __attribute__((noreturn)) void go_back(K *k, int why) {
    k->why = why;
    longjmp(k->back, 1);
}
static COLD __attribute__((noreturn)) void miss(K *k) { go_back(k, MISSED); }
static COLD __attribute__((noreturn)) void unmet(K *k, I number) {
    k->unmet = number;
    go_back(k, UNMET);
}
static COLD __attribute__((noreturn)) void stop(K *k) { go_back(k, STOPPED); }

/* ------------------------------------------------------------------------------------------------ numbers */

static COLD I far_number(K *k, O o) {
    int over = 0;
    if (!PyLong_Check(o)) miss(k);
    I found = PyLong_AsLongLongAndOverflow(o, &over);
    if (over || found >= LARGE || found <= -LARGE) miss(k);
    return found;
}
#if PY_VERSION_HEX >= 0x030C0000
#define is_small(o) PyUnstable_Long_IsCompact((PyLongObject *)(o))
#define small(o) ((I)PyUnstable_Long_CompactValue((PyLongObject *)(o)))
#else /* one digit at most, and the sign */
#define is_small(o) ((size_t)Py_SIZE(o) + 1 < 3)
#define small(o) ((I)Py_SIZE(o) * (I)((PyLongObject *)(o))->ob_digit[0])
#endif
static inline I num(K *k, O o) {
    if (likely(PyLong_Check(o) && is_small(o))) return small(o);
    return far_number(k, o);
}
static inline I near(K *k, I n) { /* what functions take and give */
    if (unlikely(n > NEAR || n < -NEAR)) miss(k);
    return n;
}
static COLD I far_at(K *k, O o) { return near(k, far_number(k, o)); }
static inline I at(K *k, I place) { /* what lies at a place that is sure to be there */
    O o = k->s[place];
    if (likely(PyLong_CheckExact(o) && is_small(o))) return small(o);
    return far_at(k, o);
}
static inline O object(K *k, I value) {
    O made;
    if (likely(value >= SMALL_LOW && value < SMALL_HIGH)) {
        made = SMALL[value - SMALL_LOW];
        Py_INCREF(made);
    } else if (!(made = PyLong_FromLongLong(value)))
        go_back(k, RAISED);
    return made;
}
static inline I place(K *k, I at) {
    if (unlikely((unsigned long long)at >= PLACES)) miss(k);
    return at;
}
static inline I upto(K *k, I at, I n) { /* a place in a table of so many entries */
    if (unlikely((unsigned long long)at >= (unsigned long long)n)) miss(k);
    return at;
}
static inline I entry_at(K *k, I at, I n) { return upto(k, at < 0 ? at + n : at, n); } /* also from the end */
static inline I add(K *k, I a, I b) {
    I sum;
    if (unlikely(__builtin_add_overflow(a, b, &sum) || sum >= LARGE || sum <= -LARGE)) miss(k);
    return sum;
}
static inline I mul(K *k, I a, I b) {
    I product;
    if (unlikely(__builtin_mul_overflow(a, b, &product) || product >= LARGE || product <= -LARGE)) miss(k);
    return product;
}
static inline I div_(K *k, I a, I b) {
    if (unlikely(!b)) miss(k);
    I q = a / b;
    return q - (a % b && (a < 0) != (b < 0));
}
static inline I mod_(K *k, I a, I b) {
    if (unlikely(!b)) miss(k);
    I r = a % b;
    return r && (r < 0) != (b < 0) ? r + b : r;
}
static inline I shl(K *k, I a, I b) {
    if (unlikely(b < 0 || b > 61)) miss(k);
    return mul(k, a, (I)1 << b);
}
static inline I shr(K *k, I a, I b) {
    if (unlikely(b < 0)) miss(k);
    return a >> (b > 63 ? 63 : b);
}
static inline I known(K *k, I value) { /* an entry of a table that leaves some out */
    if (unlikely(value == NONE)) miss(k);
    return value;
}
static inline I min_(I a, I b) { return b < a ? b : a; }
static inline I max_(I a, I b) { return b > a ? b : a; }
static inline I big(K *k, I n) {
    if (unlikely(n > LARGEST || n < -LARGEST)) miss(k);
    return n;
}
static inline I times(K *k, I n) {
    if (unlikely(n > STEPS)) miss(k);
    return n;
}
static inline I not_below(K *k, I n) {
    if (unlikely(n < 0)) miss(k);
    return n;
}
static I power(K *k, I a, I b) {
    if (b < 0) return 0;
    if (b > 60 || a > 1000000 || a < -1000000) miss(k);
    I made = 1;
    while (b-- > 0) made = mul(k, made, a);
    return big(k, made);
}

/* ------------------------------------------------------------------------------------------- memory, lists */

static COLD char *more_room(K *k, I bytes) {
    I size = k->taken < 1 << 16 ? 1 << 16 : k->taken < 1 << 22 ? k->taken : 1 << 22;
    if (size < bytes) size = bytes;
    k->taken += size;
    Chunk *chunk = k->taken > MOST_BYTES ? NULL : malloc(sizeof(Chunk) + 16 + size);
    if (!chunk) miss(k);
    chunk->before = k->chunks;
    k->chunks = chunk;
    k->free = (char *)(((size_t)(chunk + 1) + 15) & ~(size_t)15);
    k->end = k->free + size;
    return k->free;
}
static inline void *room(K *k, I bytes) {
    bytes = (bytes + 15) & ~(I)15;
    char *at = k->free;
    if (unlikely(k->end - at < bytes)) at = more_room(k, bytes);
    k->free = at + bytes;
    return at;
}
static COLD void grow(K *k, L *l) {
    I wider = l->room ? l->room * 4 : 8;
    I *p = room(k, wider * (I)sizeof(I));
    if (l->n > 0) memcpy(p, l->p, l->n * sizeof(I));
    l->p = p, l->room = wider;
}
static inline void push(K *k, L *l, I value) {
    if (unlikely(l->n >= l->room)) grow(k, l);
    l->p[l->n++] = value;
}
static void extend(K *k, L *l, L more) {
    for (I i = 0; i < more.n; i++) push(k, l, more.p[i]);
}
static void push_list(K *k, LL *l, L value) {
    if (l->n >= l->room) {
        I wider = l->room ? l->room * 4 : 4;
        L *p = room(k, wider * (I)sizeof(L));
        if (l->n) memcpy(p, l->p, l->n * sizeof(L));
        l->p = p, l->room = wider;
    }
    l->p[l->n++] = value;
}
static inline I item(K *k, L l, I at) {
    if (at < 0) at += l.n;
    if (unlikely(at < 0 || at >= l.n)) miss(k);
    return l.p[at];
}
static inline L row(K *k, LL l, I at) {
    if (at < 0) at += l.n;
    if (unlikely(at < 0 || at >= l.n)) miss(k);
    return l.p[at];
}
static inline int holds(L l, I value) {
    for (I i = 0; i < l.n; i++)
        if (l.p[i] == value) return 1;
    return 0;
}
static inline int same(L a, L b) {
    if (a.n != b.n) return 0;
    for (I i = 0; i < a.n; i++)
        if (a.p[i] != b.p[i]) return 0;
    return 1;
}
static L counted(K *k, I low, I high, I step) {
    L made = {0, 0, NULL};
    if (!step) miss(k);
    if (step > 0) for (I x = low; x < high; x += step) push(k, &made, x);
    else for (I x = low; x > high; x += step) push(k, &made, x);
    return made;
}
static L sorted_by(K *k, L given, const I *keys, I width) { /* stable; so many keys belong to each */
    L made = {given.n, given.n, room(k, (given.n + 1) * (I)sizeof(I))};
    I *order = room(k, (given.n + 1) * (I)sizeof(I));
    for (I i = 0; i < given.n; i++) {
        I j = i;
        for (; j > 0; j--) {
            const I *one = keys + order[j - 1] * width, *other = keys + i * width;
            I d = 0;
            while (d < width && one[d] == other[d]) d++;
            if (d == width || one[d] < other[d]) break;
            order[j] = order[j - 1];
        }
        order[j] = i;
    }
    for (I i = 0; i < given.n; i++) made.p[i] = given.p[order[i]];
    return made;
}
static L sorted_list(K *k, L given) { return sorted_by(k, given, given.p, 1); }
static I sum_list(K *k, L given) {
    I sum = 0;
    for (I i = 0; i < given.n; i++) sum = add(k, sum, given.p[i]);
    return sum;
}
static inline L list_there(K *k, L found) { /* of a table that has no list for some */
    if (found.n < 0) miss(k);
    return found;
}
static L best_by(K *k, L given, const I *keys, int highest) {
    L made = {0, 0, NULL};
    if (!given.n) return made;
    I top = keys[0];
    for (I i = 1; i < given.n; i++) top = highest ? max_(top, keys[i]) : min_(top, keys[i]);
    for (I i = 0; i < given.n; i++) if (keys[i] == top) push(k, &made, given.p[i]);
    return made;
}
static Entry *entry(D *d, L key) {
    for (I i = 0; i < d->n; i++)
        if (same(d->p[i].key, key)) return d->p + i;
    return NULL;
}
static Entry *entry_for(K *k, D *d, L key) {
    Entry *found = entry(d, key);
    if (found) return found;
    if (d->n >= d->room) {
        I wider = d->room ? d->room * 4 : 8;
        Entry *p = room(k, wider * (I)sizeof(Entry));
        if (d->n) memcpy(p, d->p, d->n * sizeof(Entry));
        d->p = p, d->room = wider;
    }
    found = d->p + d->n++;
    found->key = key, found->one = NONE, found->list = (L){0, 0, NULL};
    return found;
}
static Entry *entry_there(K *k, D *d, L key) {
    Entry *found = entry(d, key);
    if (!found) miss(k);
    return found;
}

/* ---------------------------------------------------------------------------------------------- the state */

static inline I rd(K *k, I there) { return at(k, place(k, there)); }
static COLD void more_trail(K *k) {
    I wider = k->trail_room * 4;
    Was *was = k->was == k->first_was ? malloc(wider * sizeof(Was)) : realloc(k->was, wider * sizeof(Was));
    if (!was) miss(k);
    if (k->was == k->first_was) memcpy(was, k->first_was, k->trail * sizeof(Was));
    k->was = was, k->trail_room = wider;
}
static inline void put(K *k, I at, O made) { /* takes the reference over */
    if (unlikely(k->trail == k->trail_room)) more_trail(k);
    k->was[k->trail++] = (Was){at, k->s[at]};
    k->s[at] = made;
}
static inline void set_place(K *k, I at, I value) { put(k, at, object(k, value)); }
static inline void copy_place(K *k, I to, I from) {
    O moved = k->s[from];
    Py_INCREF(moved);
    put(k, to, moved);
}
static inline void wr(K *k, I at, I value) { set_place(k, place(k, at), value); }
static inline void wr_add(K *k, I at, I more) { wr(k, at, add(k, rd(k, at), more)); }
static inline I whole(K *k, I low, I high) { /* a slice that lies in the state; its length */
    if (unlikely(low < 0 || high > PLACES)) miss(k);
    return high > low ? high - low : 0;
}
static L slice(K *k, I low, I high) {
    I n = whole(k, low, high);
    L made = {n, n, room(k, n * (I)sizeof(I))};
    for (I i = 0; i < n; i++) made.p[i] = at(k, low + i);
    return made;
}
static L part(K *k, L l, I low, I high) {
    if (low < 0 || high < 0) miss(k);
    high = min_(high, l.n), low = min_(low, high);
    return (L){high - low, 0, l.p + low};
}
static void copy_places(K *k, I low, I high, I from, I until) {
    I n = whole(k, low, high);
    if (whole(k, from, until) != n) miss(k);
    O *moved = room(k, n * (I)sizeof(O));
    for (I i = 0; i < n; i++) moved[i] = k->s[from + i];
    for (I i = 0; i < n; i++) {
        Py_INCREF(moved[i]);
        put(k, low + i, moved[i]);
    }
}
static void fill(K *k, I low, I high, L values) {
    if (whole(k, low, high) != values.n) miss(k);
    for (I i = 0; i < values.n; i++) wr(k, low + i, values.p[i]);
}
static void fill_same(K *k, I low, I high, I value, I n) {
    if (whole(k, low, high) != n) miss(k);
    for (I i = 0; i < n; i++) wr(k, low + i, value);
}
static I sum_of(K *k, I low, I high) {
    I sum = 0;
    whole(k, low, high);
    for (I i = low; i < high; i++) sum = add(k, sum, num(k, k->s[i]));
    return sum;
}
static I index_of(K *k, I value, I low, I high) {
    if (low < 0 || high > PLACES) miss(k);
    for (I i = low; i < high; i++)
        if (num(k, k->s[i]) == value) return i;
    miss(k);
}
static I first_of(K *k, I low, I high) {
    whole(k, low, high);
    for (I i = low; i < high; i++)
        if (num(k, k->s[i])) return i;
    return -1;
}
static L lying(K *k, I zone, I many, I low, I high, I first) {
    L found = {0, 0, NULL};
    whole(k, low, high);
    for (I at = low; many > 0 && at < high; at++)
        if (num(k, k->s[at]) == zone) push(k, &found, at + first), many--;
    return found;
}
static L cells_any(K *k, I zone, L columns, L sorts) {
    L found = {0, 0, NULL};
    for (I i = 0; i < sorts.n; i++) {
        I column = item(k, columns, sorts.p[i]);
        if (column >= 0 && !holds(found, zone + column)) push(k, &found, zone + column);
    }
    return found;
}
static I count_any(K *k, I zone, L columns, L sorts) {
    L cells = cells_any(k, zone, columns, sorts);
    I sum = 0;
    for (I i = 0; i < cells.n; i++) sum = add(k, sum, rd(k, cells.p[i]));
    return sum;
}
static L all_but(K *k, I low, I high, I step, I but) {
    L found = {0, 0, NULL};
    if (step <= 0) miss(k);
    for (I x = low; x < min_(but, high); x += step) push(k, &found, x);
    for (I x = but < low ? low : low + ((but - low) / step + 1) * step; x < high; x += step) push(k, &found, x);
    return found;
}
static I dot(K *k, L weights, L counts) {
    I sum = 0, n = min_(weights.n, counts.n);
    for (I i = 0; i < n; i++) sum = add(k, sum, mul(k, weights.p[i], counts.p[i]));
    return sum;
}

/* ------------------------------------------------------------------------------------- lists in one number */

static L unpack(K *k, I packed) {
    L found = {0, 0, NULL};
    if (packed < 0) miss(k);
    for (; packed; packed >>= BITS) push(k, &found, (packed & MASK) - 2);
    return found;
}
static L unpack_object(K *k, O packed) {
    int over = 0;
    if (!PyLong_Check(packed)) miss(k);
    I plain = PyLong_AsLongLongAndOverflow(packed, &over);
    if (!over) return unpack(k, plain);
    L found = {0, 0, NULL};
    O bits = PyLong_FromLong(BITS), mask = PyLong_FromLong(MASK), left = packed, low = NULL;
    Py_INCREF(left);
    while (bits && mask && left && PyObject_IsTrue(left) == 1) {
        if (!(low = PyNumber_And(left, mask))) break;
        push(k, &found, PyLong_AsLong(low) - 2); /* may leave: a little memory is lost then, no more */
        Py_DECREF(low);
        O next = PyNumber_Rshift(left, bits);
        Py_DECREF(left);
        left = next;
    }
    Py_XDECREF(bits), Py_XDECREF(mask), Py_XDECREF(left);
    if (PyErr_Occurred()) go_back(k, RAISED);
    return found;
}
static O packed_object(K *k, L values) {
    O made = PyLong_FromLong(0), bits = PyLong_FromLong(BITS);
    for (I i = values.n - 1; i >= 0 && made && bits; i--) {
        O wider = PyNumber_Lshift(made, bits), own = PyLong_FromLongLong(values.p[i] + 2);
        Py_DECREF(made);
        made = wider && own ? PyNumber_Or(wider, own) : NULL;
        Py_XDECREF(wider), Py_XDECREF(own);
    }
    Py_XDECREF(bits);
    if (!made) go_back(k, RAISED);
    return made;
}
static void set_packed(K *k, I at, L values) {
    if (values.n < 0) miss(k);
    for (I i = 0; i < values.n; i++) if (values.p[i] < -1 || values.p[i] + 2 > MASK) miss(k);
    put(k, at, packed_object(k, values));
}
static void take_more(K *k, L *found, L kinds, const I *weights, const I *behind, I at, I left, I packed, I shift) {
    if (!left) {
        push(k, found, packed);
        if (found->n > MOST_OPTIONS) miss(k);
        return;
    }
    for (I i = at; i < kinds.n && behind[i] >= left; i++) {
        I value = kinds.p[i] + 2, more = packed, place = shift;
        if (value < 0 || value > MASK) miss(k);
        for (I used = 1; used <= min_(left, weights[i]); used++) {
            if (place + BITS > 61) miss(k);
            more |= value << place;
            place += BITS;
            take_more(k, found, kinds, weights, behind, i + 1, left - used, more, place);
        }
    }
}
static L combos(K *k, L kinds, L weights, I amount) {
    L found = {0, 0, NULL};
    if (weights.n < 0) {
        weights = (L){kinds.n, kinds.n, room(k, (kinds.n + 1) * (I)sizeof(I))};
        for (I i = 0; i < kinds.n; i++) weights.p[i] = rd(k, kinds.p[i]);
    }
    if (weights.n < kinds.n) miss(k);
    I *behind = room(k, (kinds.n + 1) * (I)sizeof(I)); /* how many there are from a kind on */
    behind[kinds.n] = 0;
    for (I i = kinds.n; i--;) behind[i] = behind[i + 1] + weights.p[i];
    take_more(k, &found, kinds, weights.p, behind, 0, amount, 0, 0);
    return found;
}

/* ------------------------------------------------------------------------------------------------- Python */

static L list_of(K *k, O given) { /* takes the reference over */
    L made = {0, 0, NULL};
    O fast = PySequence_Fast(given, "");
    Py_DECREF(given);
    if (!fast) go_back(k, RAISED);
    for (I i = 0; i < PySequence_Fast_GET_SIZE(fast); i++) {
        int over = 0;
        I value = PyLong_AsLongLongAndOverflow(PySequence_Fast_GET_ITEM(fast, i), &over);
        if (over || PyErr_Occurred() || value >= LARGE || value <= -LARGE) {
            Py_DECREF(fast);
            miss(k);
        }
        push(k, &made, value);
    }
    Py_DECREF(fast);
    return made;
}
static O object_of(K *k, L given) {
    O made = PyList_New(given.n);
    if (!made) go_back(k, RAISED);
    for (I i = 0; i < given.n; i++) PyList_SET_ITEM(made, i, object(k, given.p[i]));
    return made;
}
static I number_of(K *k, O given) { /* takes the reference over */
    I value = given == Py_None ? 0 : num(k, given);
    Py_DECREF(given);
    return value;
}
static O nothing_of(K *k, I none) {
    (void)k, (void)none;
    Py_INCREF(Py_None);
    return Py_None;
}
static void before_python_writes(K *k) {
    if (k->snapshot) return;
    if (!(k->snapshot = PyList_GetSlice(k->S, 0, PLACES))) go_back(k, RAISED);
    k->snapshot_at = k->trail;
}
static COLD void tell(I left) { /* to Python: so many passes this thread may still make */
    O me = PyLong_FromUnsignedLong(PyThread_get_thread_ident()), number = PyLong_FromLongLong(left);
    if (!me || !number || PyDict_SetItem(LEFT, me, number)) PyErr_Clear();
    Py_XDECREF(me), Py_XDECREF(number);
}
static O call(K *k, const char *name, O *given, I n) { /* lets go of what is given */
    if (unlikely(k->left >= 0)) tell(k->left), k->told = 1, k->left = -1;
    O function = PyDict_GetItemString(MODULE, name); /* borrowed */
    O found = function ? PyObject_Vectorcall(function, given, n, NULL) : NULL;
    for (I i = 0; i < n; i++) Py_DECREF(given[i]);
    if (!found) go_back(k, RAISED);
    return found;
}
static O held(O one) {
    Py_INCREF(one);
    return one;
}
static int apart(K *k, L *known_ones, I x, const char *deep) { /* as `apart` does it in Python */
    O looks = call(k, deep, (O[]){held(k->S), object(k, x)}, 2);
    for (I i = 0; i < known_ones->n; i++) {
        O other = call(k, deep, (O[]){held(k->S), object(k, known_ones->p[i])}, 2);
        int equal = PyObject_RichCompareBool(looks, other, Py_EQ);
        Py_DECREF(other);
        if (equal) {
            Py_DECREF(looks);
            if (equal < 0) go_back(k, RAISED);
            return 0;
        }
    }
    Py_DECREF(looks);
    push(k, known_ones, x);
    return 1;
}
typedef L (*Looks)(K *, I); /* how a thing looks */

static int alike(K *k, D *seen, I x, Looks plain, const char *deep) {
    if (x < FIRST_THING) return 0; /* what is counted is never like another */
    Entry *found = entry_for(k, seen, plain(k, x));
    if (found->list.n) return !deep || !apart(k, &found->list, x, deep);
    push(k, &found->list, x);
    return 0;
}
static L lowest(K *k, L given, Looks plain, const char *deep) {
    L found = {0, 0, NULL};
    D seen = {0, 0, NULL};
    for (I i = 0; i < given.n; i++) if (!alike(k, &seen, given.p[i], plain, deep)) push(k, &found, given.p[i]);
    return found;
}
static int before(L a, L b) {
    for (I i = 0; i < a.n && i < b.n; i++) if (a.p[i] != b.p[i]) return a.p[i] < b.p[i];
    return a.n < b.n;
}
static L unlike(K *k, L ways, Looks plain) { /* of packed choices of alike pieces the first */
    L found = {0, 0, NULL};
    D seen = {0, 0, NULL};
    for (I i = 0; i < ways.n; i++) {
        L pieces = unpack(k, ways.p[i]), key = {0, 0, NULL};
        LL looks = {0, 0, NULL};
        for (I j = 0; j < pieces.n; j++) {
            L look = {0, 0, NULL};
            push(k, &look, pieces.p[j] < FIRST_THING ? pieces.p[j] : -1);
            if (pieces.p[j] >= FIRST_THING) extend(k, &look, plain(k, pieces.p[j]));
            push_list(k, &looks, look);
            for (I at = looks.n - 1; at > 0 && before(looks.p[at], looks.p[at - 1]); at--) {
                L other = looks.p[at];
                looks.p[at] = looks.p[at - 1], looks.p[at - 1] = other;
            }
        }
        for (I j = 0; j < looks.n; j++) {
            push(k, &key, looks.p[j].n);
            extend(k, &key, looks.p[j]);
        }
        if (!entry(&seen, key)) {
            entry_for(k, &seen, key);
            push(k, &found, ways.p[i]);
        }
    }
    return found;
}

/* Lots: how many of a sort may be taken, so that there is a way on. */

typedef struct { I count, value, shapes; } Lot;
typedef struct { I n, room, *at; Lot *p; } Lots; /* a set: `at` finds them, twice as wide as `p` */

static void add_lot(K *k, Lots *l, Lot lot) {
    if (2 * l->n >= l->room) {
        Lots wider = {0, l->room ? 4 * l->room : 64, NULL, NULL};
        wider.at = room(k, wider.room * (I)sizeof(I)), wider.p = room(k, wider.room / 2 * (I)sizeof(Lot));
        memset(wider.at, 0, wider.room * sizeof(I));
        for (I i = 0; i < l->n; i++) add_lot(k, &wider, l->p[i]);
        *l = wider;
    }
    unsigned long long mixed = (lot.count * 1000003ULL ^ lot.value) * 0x9e3779b97f4a7c15ULL ^ lot.shapes;
    I at = (I)((mixed ^ mixed >> 29) & (l->room - 1));
    for (; l->at[at]; at = (at + 1) & (l->room - 1)) {
        Lot *other = l->p + l->at[at] - 1;
        if (other->count == lot.count && other->value == lot.value && other->shapes == lot.shapes) return;
    }
    l->p[l->n++] = lot;
    l->at[at] = l->n;
    if (l->n > MANY_WAYS) miss(k);
}
static I shape_bit(K *k, L shapes, I at) { /* each shape is one bit: of the first sort that has it */
    I first = 0;
    while (item(k, shapes, first) != item(k, shapes, at)) first++;
    if (first > 60) miss(k);
    return (I)1 << first;
}
static inline I worth_of(K *k, LL worth, I n, I sort) { return worth.n < 0 ? 0 : item(k, worth.p[sort], n); }
static L bag_choices(K *k, L have, L taken, I at, I least, I most, I step, L shapes, LL worth, I worth_least,
                     I worth_most) {
    L allowed = {0, 0, NULL};
    I count = 0, value = 0, used = 0, rest = 0, far = 0, here_best = 0;
    int apart = shapes.n >= 0, growing = 1;
    if (at < 0 || at >= have.n || taken.n < at || (worth.n >= 0 && worth.n < have.n)) miss(k);
    if (at && !have.p[at]) {
        push(k, &allowed, 0);
        return allowed;
    }
    for (I i = 0; i < at; i++) {
        count += taken.p[i];
        if (taken.p[i]) value = add(k, value, worth_of(k, worth, taken.p[i], i));
        if (apart && taken.p[i]) used |= shape_bit(k, shapes, i);
    }
    for (I n = 0; n <= have.p[at]; n++) here_best = max_(here_best, worth_of(k, worth, n, at));
    for (I i = at + 1; i < have.n; i++) {
        far += have.p[i];
        rest = add(k, rest, worth_of(k, worth, have.p[i], i));
        for (I n = 0; n < have.p[i]; n++) growing &= worth_of(k, worth, n, i) <= worth_of(k, worth, have.p[i], i);
    }
    if (!apart && step == 1 && most >= count + have.p[at] + far && growing && worth_most >= value + here_best + rest) {
        for (I n = 0; n <= have.p[at]; n++) /* taking all that is left is best */
            if (count + far + n >= least && value + worth_of(k, worth, n, at) + rest >= worth_least) push(k, &allowed, n);
        return allowed;
    }
    I own = apart ? shape_bit(k, shapes, at) : 0;
    for (I n = 0; n <= have.p[at]; n++) {
        if (apart && n > (used & own ? 0 : 1)) break;
        Lots reached = {0, 0, NULL, NULL};
        add_lot(k, &reached, (Lot){count + n, add(k, value, worth_of(k, worth, n, at)), apart && n ? used | own : used});
        for (I i = at + 1; i < have.n; i++) {
            I bit = apart ? shape_bit(k, shapes, i) : 0;
            for (I j = 0, there = reached.n; j < there && have.p[i]; j++) {
                Lot lot = reached.p[j];
                if (lot.shapes & bit) continue;
                for (I m = 1; m < (apart ? 2 : have.p[i] + 1) && lot.count + m <= most; m++)
                    add_lot(k, &reached, (Lot){lot.count + m, add(k, lot.value, worth_of(k, worth, m, i)), lot.shapes | bit});
            }
        }
        for (I j = 0; j < reached.n; j++) {
            Lot *lot = reached.p + j;
            if (least <= lot->count && lot->count <= most && !mod_(k, lot->count, step) && worth_least <= lot->value
                && lot->value <= worth_most) {
                push(k, &allowed, n);
                break;
            }
        }
    }
    return allowed;
}
static COLD I left_of(K *k) { /* how many passes this thread may still make, as Python counts them */
    O me = PyLong_FromUnsignedLong(PyThread_get_thread_ident()), known = me ? PyDict_GetItemWithError(LEFT, me) : NULL;
    I left = known ? PyLong_AsLongLong(known) : FUEL;
    Py_XDECREF(me);
    if (PyErr_Occurred()) go_back(k, RAISED);
    if (!k->told) k->left_before = left;
    return left;
}
static inline void spend(K *k, I fuel) { /* one more pass of a loop that could have very many */
    if (unlikely(k->left < 0)) k->left = left_of(k);
    if (unlikely((k->left -= fuel) < 0)) miss(k);
}
static inline void refuel(K *k) { k->left = k->left_before = FUEL; }

/* ------------------------------------------------------------------------------------------------- chance */

static I dry_of(K *k) {
    O found = PyObject_GetAttr(k->C, DRY);
    if (!found) go_back(k, RAISED);
    return number_of(k, found);
}
static I word(K *k) {
    O owner;
    if (!k->words) {
        if (dry_of(k)) stop(k);
        if (!(owner = PyObject_GetAttr(k->C, WORDS))) go_back(k, RAISED);
        k->words = PyObject_GetAttr(owner, WORDS); /* kept by its owner, which the context keeps */
        Py_DECREF(owner);
        if (!k->words) go_back(k, RAISED);
        Py_DECREF(k->words);
        if (!PyList_CheckExact(k->words)) miss(k);
    }
    I at = rd(k, 1);
    wr(k, 1, at + 1);
    if (likely(at >= 0 && at < PyList_GET_SIZE(k->words))) return num(k, PyList_GET_ITEM(k->words, at));
    if (!(owner = PyObject_GetAttr(k->C, WORDS))) go_back(k, RAISED);
    O index = object(k, at), found = PyObject_CallMethodOneArg(owner, MORE, index);
    Py_DECREF(index), Py_DECREF(owner);
    if (!found) go_back(k, RAISED);
    return number_of(k, found);
}
static I below(K *k, I n) {
    if (n < 0 || n > (I)1 << 30) miss(k);
    return word(k) * n >> 32;
}
static I weighted(K *k, L cells, I total) {
    I r = below(k, total);
    for (I i = 0; i < cells.n; i++)
        if ((r -= rd(k, cells.p[i])) < 0) return cells.p[i];
    miss(k);
}
static L draw_many(K *k, I low, I high, I amount) {
    L drawn = {0, 0, NULL};
    I total = sum_of(k, low, high);
    if (total > 0 && amount > 0 && dry_of(k)) stop(k);
    for (I n = min_(amount, total); n > 0; n--) {
        I r = below(k, total--), c = low, count;
        while (c < high && r >= (count = rd(k, c))) r -= count, c++;
        if (c >= high) miss(k);
        wr_add(k, c, -1);
        push(k, &drawn, c);
    }
    return drawn;
}
static L shuffled(K *k, L given) {
    L made = {given.n, given.n, room(k, (given.n + 1) * (I)sizeof(I))};
    if (given.n) memcpy(made.p, given.p, given.n * sizeof(I));
    for (I i = 0; i < made.n - 1; i++) {
        I j = i + below(k, made.n - i), kept = made.p[i];
        made.p[i] = made.p[j], made.p[j] = kept;
    }
    return made;
}

static L distinct(K *k, L given) {
    L made = {0, given.n, room(k, (given.n + 1) * (I)sizeof(I))};
    for (I i = 0; i < given.n; i++) {
        I j = 0;
        while (j < made.n && made.p[j] != given.p[i]) j++;
        if (j == made.n) made.p[made.n++] = given.p[i];
    }
    return made;
}

/* ------------------------------------------------------------------------------------- in and out of Python */

static inline int opened(K *k, O S, O C) {
    if (!PyList_CheckExact(S) || PyList_GET_SIZE(S) != PLACES) return 0;
    k->S = S, k->C = C, k->s = ((PyListObject *)S)->ob_item;
    k->words = k->snapshot = NULL;
    k->free = k->first_bytes, k->end = k->first_bytes + FIRST_BYTES;
    k->chunks = NULL, k->taken = 0;
    k->was = k->first_was, k->trail = 0, k->trail_room = FIRST_TRAIL;
    k->left = k->left_before = -1, k->told = 0;
    return 1;
}
static inline void closed(K *k) {
    if (unlikely(k->left != k->left_before) && k->left >= 0) tell(k->left);
    for (I i = 0; i < k->trail; i++) Py_DECREF(k->was[i].old);
    if (unlikely(k->was != k->first_was)) free(k->was);
    while (unlikely(k->chunks != NULL)) {
        Chunk *before = k->chunks->before;
        free(k->chunks);
        k->chunks = before;
    }
    Py_XDECREF(k->snapshot);
}
static void put_back(K *k) {
    if (k->snapshot) {
        for (; k->trail > k->snapshot_at; k->trail--) Py_DECREF(k->was[k->trail - 1].old);
        for (I i = 0; i < PLACES; i++) {
            O kept = PyList_GET_ITEM(k->snapshot, i), other = k->s[i];
            Py_INCREF(kept);
            k->s[i] = kept;
            Py_DECREF(other);
        }
    }
    for (; k->trail > 0; k->trail--) {
        Was was = k->was[k->trail - 1];
        O other = k->s[was.at];
        k->s[was.at] = was.old;
        Py_DECREF(other);
    }
}
static COLD O fall_back(const char *name, O const *given, Py_ssize_t n) {
    O function = PyDict_GetItemString(FALLBACK, name);
    MISSES++;
    if (!function) return PyErr_Format(PyExc_SystemError, "there is no %s", name);
    return PyObject_Vectorcall(function, given, n, NULL);
}
static COLD O left(K *k, const char *name, O const *given, Py_ssize_t n) { /* after a way back was taken */
    O number;
    switch (k->why) {
    case UNMET:
        if ((number = PyLong_FromLongLong(k->unmet))) {
            O made = PyObject_CallOneArg(UNMET_CLASS, number);
            Py_DECREF(number);
            if (made) PyErr_SetObject(UNMET_CLASS, made), Py_DECREF(made);
        }
        break;
    case STOPPED:
        PyErr_SetNone(STOP_CLASS);
        break;
    case RAISED:
        if (PyErr_ExceptionMatches(UNMET_CLASS) || PyErr_ExceptionMatches(STOP_CLASS)
            || !PyErr_ExceptionMatches(PyExc_Exception))
            break; /* what was meant to go up goes up */
        /* fall through */
    default:
        PyErr_Clear();
        put_back(k);
        if (k->told) tell(k->left_before);
        k->left = k->left_before; /* what is done again is counted again */
        closed(k);
        return fall_back(name, given, n);
    }
    closed(k);
    return NULL;
}
static int set_up(O module, O names) { /* names: the generated module, its Python functions, classes, the fuel */
    O unmet_class, stop_class;
    if (!PyArg_ParseTuple(names, "OOOOO", &MODULE, &FALLBACK, &unmet_class, &stop_class, &LEFT)) return -1;
    Py_INCREF(MODULE), Py_INCREF(FALLBACK), Py_INCREF(unmet_class), Py_INCREF(stop_class), Py_INCREF(LEFT);
    UNMET_CLASS = unmet_class, STOP_CLASS = stop_class;
    WORDS = PyUnicode_InternFromString("words"), MORE = PyUnicode_InternFromString("more");
    DRY = PyUnicode_InternFromString("dry");
    for (I i = 0; i < SMALL_HIGH - SMALL_LOW; i++)
        if (!SMALL[i] && !(SMALL[i] = PyLong_FromLongLong(i + SMALL_LOW))) return -1;
    (void)module;
    return WORDS && MORE && DRY ? 0 : -1;
}
