/* Pieces taken together: combinations, pieces that look alike, lots that fulfil a condition. */

static void take_more(K *k, L *found, L kinds, const I *weights, const I *behind, I at, I left, I packed, I shift) {
    for (I i = at; i < kinds.n && behind[i] >= left; i++) {
        I value = kinds.p[i] + 2, more = packed, place = shift;
        if (value < 0 || value > MASK) miss(k);
        for (I used = 1; used <= min_(left, weights[i]); used++) {
            if (place + BITS > 61) miss(k);
            more |= value << place;
            place += BITS;
            if (used < left) take_more(k, found, kinds, weights, behind, i + 1, left - used, more, place);
            else if (push(k, found, more), found->n > MOST_OPTIONS) miss(k);
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
    if (amount) take_more(k, &found, kinds, weights.p, behind, 0, amount, 0, 0);
    else push(k, &found, 0);
    return found;
}

/* ------------------------------------------------------------------------------------------------ alike */

typedef L (*Looks)(K *, I); /* how a thing looks, or what lies on it */

static int apart(K *k, L *known_ones, I x, Looks deep) { /* as `apart` does it in Python */
    L own = deep(k, x);
    for (I i = 0; i < known_ones->n; i++) if (same(deep(k, known_ones->p[i]), own)) return 0;
    push(k, known_ones, x);
    return 1;
}
static int alike(K *k, D *seen, I x, Looks plain, Looks deep) {
    if (x < FIRST_THING) return 0; /* what is counted is never like another */
    Entry *found = entry_for(k, seen, plain(k, x));
    if (found->list.n) return !deep || !apart(k, &found->list, x, deep);
    push(k, &found->list, x);
    return 0;
}
static L lowest(K *k, L given, Looks plain, Looks deep) {
    L found = {0, 0, NULL};
    D seen = {0, 0, NULL};
    for (I i = 0; i < given.n; i++) if (!alike(k, &seen, given.p[i], plain, deep)) push(k, &found, given.p[i]);
    return found;
}
static int before(L a, L b) {
    for (I i = 0; i < a.n && i < b.n; i++) if (a.p[i] != b.p[i]) return a.p[i] < b.p[i];
    return a.n < b.n;
}
static void in_sequence(LL given) { /* one by one: there are few */
    for (I i = 1; i < given.n; i++)
        for (I j = i; j > 0 && before(given.p[j], given.p[j - 1]); j--) {
            L other = given.p[j];
            given.p[j] = given.p[j - 1], given.p[j - 1] = other;
        }
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
