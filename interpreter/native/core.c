/* What the C of a ruleset leans on first: the way back, numbers that are checked, lists that live as long as one call.

   Every call has a `K`. Whatever is not plain sailing (a fault of the rules, a number that is too large, a place that is
   not there) is a miss: what was written is put back, and the Python function of the same name does it all again. So this
   code never complains, and what players are told is what Python says. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <structmember.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long U;
typedef PyObject *O;
typedef struct { I n, room, *p; } L;                   /* a list of numbers; n = -1 is None */
typedef struct { I n, room; L *p; } LL;                /* a list of lists */
typedef struct { L key; I one; L list; } Entry;
typedef struct { I n, room; Entry *p; } D;             /* by key, one number or several: a number, or a list */
typedef struct { I at, old; } Was;
typedef struct Chunk { struct Chunk *before; } Chunk;
typedef struct { I users, n, room; L *p; } Pool;       /* packed lists that are too long for one number */
typedef struct { I n, room, *p, rows, turn, seat; } Notes; /* what the rules record */
typedef struct { unsigned word[16]; U key[8]; I block, shift; } Chance; /* shift: so many words before the first that the key makes */

#define NONE ((I)(-0x7fffffffffffffffLL - 1))
#define LARGE ((I)1 << 62)
#define NEAR ((I)1 << 40)
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define COLD __attribute__((cold, noinline))

enum { MISSED = 1, RAISED, UNMET, STOPPED };
enum { FIRST_BYTES = 16384, FIRST_TRAIL = 1024, MOST_BYTES = 1 << 28, MOST_DEEP = 60, FIRST_ROOM = 16 };

typedef struct {
    I *s;                  /* the numbers of the state */
    Pool **pool;
    int keeps;             /* whether what is overwritten is kept, so that it can be put back */
    I trail, trail_room;
    Was *was;              /* what was overwritten, in order */
    char *free, *end;      /* room for lists */
    Chunk *chunks;
    I taken;
    I dry;                 /* in a dry run: which option it is for; -1: the context has not been asked yet */
    I depth, asked;        /* of things that are tried, one within another; the question that is answered next there */
    I unmet;               /* which requirement does not hold */
    I left, left_before;   /* how many passes may still be made, and how many might at the beginning; -1: not asked yet */
    int told;              /* whether Python knows of some that were made */
    int why;
    O S, C;                /* the state and its context, as Python knows them; NULL: nothing of Python may be touched */
    O words;               /* of chance, as Python has made them; NULL until they are needed */
    Chance *chance;        /* or as they are made here */
    O maker;               /* of the words made here, where they belong to a context that nobody has told any; held, or NULL */
    Notes *notes;          /* where what rules record is noted; NULL: nobody wants it */
    O list;                /* Python's own list, where the state came as one */
    jmp_buf back;
    Was first_was[FIRST_TRAIL];
    char first_bytes[FIRST_BYTES] __attribute__((aligned(16)));
} K;

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

static inline I near(K *k, I n) { /* what the state holds, and what functions take and give */
    if (unlikely((U)(n + NEAR) > (U)(2 * NEAR))) miss(k);
    return n;
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
static inline void all_room(K *k) { /* all lists are done with */
    while (unlikely(k->chunks != NULL)) {
        Chunk *before = k->chunks->before;
        free(k->chunks);
        k->chunks = before;
    }
    k->free = k->first_bytes, k->end = k->first_bytes + FIRST_BYTES, k->taken = 0;
}
static inline void *room(K *k, I bytes) {
    bytes = (bytes + 15) & ~(I)15;
    char *at = k->free;
    if (unlikely(k->end - at < bytes)) at = more_room(k, bytes);
    k->free = at + bytes;
    return at;
}
static __attribute__((noinline)) void grow(K *k, L *l) {
    if (!l->n) { /* its first number */
        l->p = room(k, FIRST_ROOM * (I)sizeof(I)), l->room = FIRST_ROOM;
        return;
    }
    I wider = l->n * 4;
    I *p = room(k, wider * (I)sizeof(I));
    if (l->n > 0) memcpy(p, l->p, l->n * sizeof(I));
    l->p = p, l->room = wider;
}
static inline L empty_for(K *k, I most) { /* a list of at most so many */
    return (L){0, most > 0 ? most : 0, room(k, (most > 0 ? most : 0) * (I)sizeof(I))};
}
static inline void push(K *k, L *l, I value) {
    if (unlikely(l->n >= l->room)) grow(k, l);
    l->p[l->n++] = value;
}
static void room_for(K *k, L *l, I more) { /* in a list that grows by so many at most */
    if (more <= 0 || l->room - l->n >= more) return;
    if (more > MOST_BYTES / (I)sizeof(I)) miss(k);
    I wider = max_(l->n + more, 2 * l->n), *p = room(k, wider * (I)sizeof(I));
    if (l->n > 0) memcpy(p, l->p, l->n * sizeof(I));
    l->p = p, l->room = wider;
}
static void extend(K *k, L *l, L more) {
    if (more.n <= 0) return;
    room_for(k, l, more.n);
    memcpy(l->p + l->n, more.p, more.n * sizeof(I));
    l->n += more.n;
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
static inline int among_bits(U bits, I value) { return (U)value < 64 && bits >> value & 1; }
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
static L distinct(K *k, L given) {
    L made = {0, given.n, room(k, (given.n + 1) * (I)sizeof(I))};
    for (I i = 0; i < given.n; i++) {
        I j = 0;
        while (j < made.n && made.p[j] != given.p[i]) j++;
        if (j == made.n) made.p[made.n++] = given.p[i];
    }
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
