/* The state: a flat buffer of numbers, the trail on which it goes back, and the packed lists that do not fit in a number.

   A place holds a number that is not far from nothing, or a packed list: up to three entries in the number itself, more in
   the pool of the state, with a handle at the place. Equal lists of one pool have one handle. */

#define HANDLES (-((I)1 << 61)) /* from here down: handles */
#define INLINE ((I)1 << 61)     /* below this a packed list lies in its place */
enum { ENTRIES = 3, POOL_FULL = 256 };

static inline I at(K *k, I place) { return near(k, k->s[place]); } /* what lies at a place that is sure to be there */
static inline I near_at(K *k, I place) { return k->s[place]; } /* the same, where no packed list can lie */
static COLD I rd_far(K *k, I there) { return at(k, place(k, there)); }
static inline I rd(K *k, I there) { /* one test where two would be: most places lie before the first that can hold a packed list */
    return likely((U)there < FIRST_PACKED) ? k->s[there] : rd_far(k, there);
}

/* ---------------------------------------------------------------------------------------------- the trail */

static COLD void more_trail(K *k) {
    I wider = k->trail_room * 4;
    Was *was = k->was == k->first_was ? malloc(wider * sizeof(Was)) : realloc(k->was, wider * sizeof(Was));
    if (!was) miss(k);
    if (k->was == k->first_was) memcpy(was, k->first_was, k->trail * sizeof(Was));
    k->was = was, k->trail_room = wider;
}
static __attribute__((noinline)) void keep(K *k, I at) {
    if (unlikely(k->trail == k->trail_room)) more_trail(k);
    k->was[k->trail++] = (Was){at, k->s[at]};
}
static inline void put(K *k, I at, I value) {
    if (unlikely(k->keeps)) keep(k, at);
    k->s[at] = value;
}
static __attribute__((noinline)) void keep_all(K *k, I low, I n) { /* neighbouring places, all of which are written next */
    while (k->trail_room - k->trail < n) more_trail(k);
    for (I i = 0; i < n; i++) k->was[k->trail + i] = (Was){low + i, k->s[low + i]};
    k->trail += n;
}
static void put_back(K *k, I trail) { /* to how it was when so much was on the trail */
    while (k->trail > trail) {
        Was was = k->was[--k->trail];
        k->s[was.at] = was.old;
    }
}
static inline void set_place(K *k, I at, I value) { put(k, at, near(k, value)); }
static inline void set_wide(K *k, I at, I value) { /* where a packed list may lie */
    if (unlikely(value < -NEAR || value >= INLINE)) miss(k);
    put(k, at, value);
}

/* ------------------------------------------------------------------------------------ neighbouring places */

static inline I whole(K *k, I low, I high) { /* a slice that lies in the state; its length */
    if (unlikely(low < 0 || high > PLACES)) miss(k);
    return high > low ? high - low : 0;
}
static void all_near(K *k, I low, I high) { /* that there is no packed list among these places */
    for (I i = max_(low, FIRST_PACKED); i < high; i++) near(k, k->s[i]);
}
static L slice(K *k, I low, I high) {
    I n = whole(k, low, high);
    L made = {n, n, room(k, n * (I)sizeof(I))};
    all_near(k, low, high);
    if (n) memcpy(made.p, k->s + low, n * sizeof(I));
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
    if (k->keeps) keep_all(k, low, n);
    memmove(k->s + low, k->s + from, n * sizeof(I));
}
static void fill(K *k, I low, I high, L values) {
    if (whole(k, low, high) != values.n) miss(k);
    for (I i = 0; i < values.n; i++) set_place(k, low + i, values.p[i]);
}
static void fill_near(K *k, I low, I high, L values) { /* with numbers that are sure to be near */
    if (whole(k, low, high) != values.n) miss(k);
    if (k->keeps) keep_all(k, low, values.n);
    memcpy(k->s + low, values.p, values.n * sizeof(I));
}
static L repeated(K *k, I value, I n) { /* so many entries of one value */
    I *p = room(k, (n > 0 ? n : 0) * (I)sizeof(I));
    for (I i = 0; i < n; i++) p[i] = value;
    return (L){n > 0 ? n : 0, 0, p};
}
static I *entry_of(K *k, L l, I at) { return l.p + entry_at(k, at, l.n); } /* one that is written */
static inline void fill_same(K *k, I low, I high, I value, I n) {
    if (whole(k, low, high) != n) miss(k);
    if (k->keeps) keep_all(k, low, n);
    for (I i = 0; i < n; i++) k->s[low + i] = near(k, value);
}
static I sum_of(K *k, I low, I high) {
    I sum = 0;
    whole(k, low, high);
    all_near(k, low, high);
    for (I i = low; i < high; i++) sum += k->s[i]; /* all places together are not so many that it could be too large */
    return sum;
}
_Static_assert(PLACES < 1 << 20, "sums of places are not checked");
static I dot_places(K *k, L weights, I low, I high) { /* by weights that are small */
    I sum = 0, n = min_(weights.n, whole(k, low, high));
    all_near(k, low, low + n);
    for (I i = 0; i < n; i++) sum += weights.p[i] * k->s[low + i];
    return sum;
}
static I index_of(K *k, I value, I low, I high) { /* a packed list is no number that is near */
    if (low < 0 || high > PLACES) miss(k);
    near(k, value);
    for (I i = low; i < high; i++)
        if (k->s[i] == value) return i;
    miss(k);
}
static I count_of(K *k, I low, I high, I value) {
    I n = 0;
    whole(k, low, high);
    near(k, value);
    for (I i = low; i < high; i++) n += k->s[i] == value;
    return n;
}
static I first_of(K *k, I low, I high) {
    whole(k, low, high);
    for (I i = low; i < high; i++)
        if (k->s[i]) return i;
    return -1;
}
static L some_of(K *k, I first, I from, I n) { /* those of so many neighbouring places at which something lies, counted from `first`; no
    branch, since none could be foreseen */
    const I *restrict there = k->s + from;
    L found = empty_for(k, n);
    I *restrict p = found.p, many = 0, i = 0;
    for (; i + 3 < n; i += 4) {
        if (!(there[i] | there[i + 1] | there[i + 2] | there[i + 3])) continue;
        p[many] = first + i, many += there[i] != 0;
        p[many] = first + i + 1, many += there[i + 1] != 0;
        p[many] = first + i + 2, many += there[i + 2] != 0;
        p[many] = first + i + 3, many += there[i + 3] != 0;
    }
    for (; i < n; i++) p[many] = first + i, many += there[i] != 0;
    found.n = many;
    return found;
}
static L lying(K *k, I zone, I many, I low, I high, I first) {
    L found = {0, 0, NULL};
    whole(k, low, high);
    near(k, zone);
    for (I i = low; many > 0 && i < high; i++)
        if (k->s[i] == zone) push(k, &found, i + first), many--;
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
static I packed_in_place(L values) { /* so few that they fit */
    I made = 0;
    for (I i = values.n - 1; i >= 0; i--) made = made << BITS | (values.p[i] + 2);
    return made;
}
static I pooled(Pool **there, L values) { /* the handle of a list; 0: there is no memory */
    if (!*there && !(*there = calloc(1, sizeof(Pool)))) return 0;
    Pool *pool = *there;
    if (!pool->users) pool->users = 1;
    for (I i = 0; i < pool->n; i++) if (same(pool->p[i], values)) return HANDLES - i;
    if (pool->n == pool->room) {
        I wider = pool->room ? 2 * pool->room : 8;
        L *p = realloc(pool->p, wider * sizeof(L));
        if (!p) return 0;
        pool->p = p, pool->room = wider;
    }
    I *p = malloc(values.n * sizeof(I));
    if (!p) return 0;
    memcpy(p, values.p, values.n * sizeof(I));
    pool->p[pool->n] = (L){values.n, 0, p};
    return HANDLES - pool->n++;
}
static void let_go(Pool **there) { /* of a pool that others may have, too */
    Pool *pool = *there;
    *there = NULL;
    if (!pool || --pool->users > 0) return;
    for (I i = 0; i < pool->n; i++) free(pool->p[i].p);
    free(pool->p), free(pool);
}
static COLD void tidied(I *s, Pool **there) { /* only the lists that a place still names; what fails is tried again later */
    Pool *old = *there, *fresh = NULL;
    I handles[PLACES];
    for (I i = 0; i < PLACES; i++)
        if (s[i] <= HANDLES && !(handles[i] = pooled(&fresh, old->p[HANDLES - s[i]]))) {
            let_go(&fresh);
            return;
        }
    for (I i = 0; i < PLACES; i++) if (s[i] <= HANDLES) s[i] = handles[i];
    let_go(there);
    *there = fresh;
}
static L pooled_list(K *k, I handle) {
    I at = HANDLES - handle;
    if (!*k->pool || at < 0 || at >= (*k->pool)->n) miss(k);
    return (*k->pool)->p[at];
}
static L unpack_place(K *k, I there) {
    I value = k->s[there];
    return value <= HANDLES ? pooled_list(k, value) : unpack(k, value);
}
static void set_packed(K *k, I at, L values) {
    if (values.n < 0) miss(k);
    for (I i = 0; i < values.n; i++) if (values.p[i] < -1 || values.p[i] + 2 > MASK) miss(k);
    I value = values.n <= ENTRIES ? packed_in_place(values) : pooled(k->pool, values);
    if (!value && values.n) miss(k);
    put(k, at, value);
}
static I first_entry(K *k, I there) { /* as it is packed: two more than it says */
    I value = k->s[there];
    return value <= HANDLES ? pooled_list(k, value).p[0] + 2 : value & MASK;
}
static void drop_first(K *k, I there) { /* the list without its first entry */
    I value = k->s[there];
    if (value > HANDLES) put(k, there, value >> BITS);
    else {
        L rest = pooled_list(k, value);
        set_packed(k, there, (L){rest.n - 1, 0, rest.p + 1});
    }
}
