/* Ways from place to place, as `runtime/ways.py` has them: what is said there of places and steps holds here.

   What a search has found is kept from call to call, by all that it has read; each thread keeps its own. Whoever asks gets
   a copy of it. */

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O2") /* of all that there is here, these loops run longest */
#endif

enum { MOST_ASKED = 64, MOST_KEPT = 2 };
typedef struct { I asked, seen, found, when, *p; } Answer; /* so much was asked, read and found; one behind the other */
typedef struct { I low, size, steps, *first, *to, *which, known_most, most, n, clock; Answer known[MOST_ASKED]; } Kept;

static int asked_the_same(const Answer *one, L asked) {
    return one->asked == asked.n && (!asked.n || !memcmp(one->p, asked.p, asked.n * sizeof(I)));
}
static L recalled(K *k, Kept *kept, L asked, L seen) { /* what was found when all was the same; n = -1: nothing */
    for (I i = 0; i < kept->n; i++) {
        Answer *one = kept->known + i;
        if (one->seen != seen.n || !asked_the_same(one, asked)) continue;
        if (seen.n && memcmp(one->p + asked.n, seen.p, seen.n * sizeof(I))) continue;
        L found = {one->found, one->found, room(k, (one->found + 1) * (I)sizeof(I))};
        if (one->found) memcpy(found.p, one->p + asked.n + seen.n, one->found * sizeof(I));
        return found;
    }
    return (L){-1, 0, NULL};
}
static L remembered(K *k, Kept *kept, L asked, L seen, L found) {
    I *p = malloc((asked.n + seen.n + found.n + 1) * sizeof(I)), at = -1, alike = 0;
    if (!p) return found; /* then it is looked for again */
    if (asked.n) memcpy(p, asked.p, asked.n * sizeof(I));
    if (seen.n) memcpy(p + asked.n, seen.p, seen.n * sizeof(I));
    if (found.n) memcpy(p + asked.n + seen.n, found.p, found.n * sizeof(I));
    for (I i = 0; i < kept->n; i++)
        if (asked_the_same(kept->known + i, asked)) {
            alike++;
            if (at < 0 || kept->known[i].when < kept->known[at].when) at = i;
        }
    if (alike < MOST_KEPT && kept->n < MOST_ASKED) at = kept->n++, kept->known[at].p = NULL;
    else if (alike < MOST_KEPT)
        for (I i = at = 0; i < kept->n; i++) if (kept->known[i].when < kept->known[at].when) at = i;
    free(kept->known[at].p);
    kept->known[at] = (Answer){asked.n, seen.n, found.n, ++kept->clock, p};
    return found;
}
static void forget(Kept *kept) {
    for (I i = 0; i < kept->n; i++) free(kept->known[i].p);
    kept->n = 0;
}
static inline I or_else(K *k, I cost, I other) { return (void)k, cost < 0 ? other : cost; }

static I place_of(K *k, I id, I low, I size) { return upto(k, id - low, size); }

static void fit(K *k, Kept *net, L weights) { /* every step finds what it costs: looked at once, not at each step */
    if (!net->known_most) {
        net->most = -1, net->known_most = 1;
        for (I step = 0; step < net->steps; step++) if (net->which[step] > net->most) net->most = net->which[step];
    }
    if (weights.n <= net->most) miss(k);
}
static L flood(K *k, Kept *net, L starts, L weights) {
    I size = net->size, low = net->low;
    const I *first = net->first, *to = net->to, *which = net->which, *cost = weights.p;
    char *reached = room(k, size + 1);
    L found = {0, size, room(k, (size + 1) * (I)sizeof(I))};
    I *fresh = room(k, (size + 1) * (I)sizeof(I)), *end = fresh;
    fit(k, net, weights);
    memset(reached, 0, size);
    for (I i = 0; i < starts.n; i++)
        if (starts.p[i] >= low) {
            I here = place_of(k, starts.p[i], low, size);
            if (!reached[here]) reached[here] = 1, *end++ = here;
        }
    for (; fresh < end; fresh++)
        for (I step = first[*fresh], last = first[*fresh + 1]; step < last; step++) {
            I there = to[step];
            if (!reached[there] && cost[which[step]] >= 0) reached[there] = 1, *end++ = there;
        }
    for (I here = 0; here < size; here++) if (reached[here]) found.p[found.n++] = here + low;
    return found;
}

/* A heap of places by what the best way there costs so far, then by its steps, then by their numbers: all in one number. */

static inline void arrive(I *heap, I n, I one) { /* puts one behind so many */
    for (I up; n && unlikely(one < heap[up = (n - 1) >> 1]); n = up) heap[n] = heap[up];
    heap[n] = one;
}
static inline I leave_first(I *heap, I n) { /* takes the first of so many out: the gap goes down to the end, the last comes up from there */
    I first = heap[0], last = heap[--n], at = 0;
    for (I down; (down = 2 * at + 2) < n; at = down) {
        down -= heap[down - 1] < heap[down];
        heap[at] = heap[down];
    }
    if (2 * at + 2 == n) heap[at] = heap[n - 1], at = n - 1;
    for (I up; at && unlikely(last < heap[up = (at - 1) >> 1]); at = up) heap[at] = heap[up];
    heap[at] = last;
    return first;
}
static L ways(K *k, Kept *net, L starts, L weights) {
    I size = net->size, low = net->low, highest = 0, bits = 1;
    L found = {2 * size, 2 * size, room(k, (2 * size + 1) * (I)sizeof(I))};
    I *best = found.p, *last = found.p + size, *made_by = room(k, (weights.n + 1) * (I)sizeof(I));
    const I *to = net->to, *which = net->which;
    I n = 0, *heap = room(k, (size + net->steps + 1) * (I)sizeof(I)); /* a place comes in anew with another step to it */
    fit(k, net, weights);
    while (1LL << bits <= size) bits++;
    for (I i = 0; i < weights.n; i++) if (weights.p[i] > highest) highest = weights.p[i];
    if (highest >= 1LL << (62 - 3 * bits)) miss(k); /* all in one number it would be too large */
    const I none = (highest + 1) << 2 * bits, mask = (1LL << bits) - 1; /* more than any way comes to; a place, without the way to it */
    for (I i = 0; i < weights.n; i++) made_by[i] = weights.p[i] < 0 ? none : (weights.p[i] << bits) + 1; /* and one step */
    for (I here = 0; here < size; here++) best[here] = none, last[here] = -1;
    for (I i = 0; i < starts.n; i++)
        if (starts.p[i] >= low) {
            I here = place_of(k, starts.p[i], low, size);
            if (best[here]) best[here] = 0, arrive(heap, n++, here);
        }
    while (n) {
        I one = leave_first(heap, n--), here = one & mask, so_far = one >> bits;
        if (unlikely(so_far != best[here])) continue;
        for (I step = net->first[here], end = net->first[here + 1]; step < end; step++) {
            const I there = to[step], made = so_far + made_by[which[step]];
            if (made > best[there]) continue;
            if (made < best[there]) best[there] = made, last[there] = step, arrive(heap, n++, made << bits | there);
            else if (made < none && step < last[there]) last[there] = step;
        }
    }
    for (I here = 0; here < size; here++) {
        best[here] = best[here] < none ? best[here] >> bits : -1;
        if (unlikely(best[here] > LARGEST)) miss(k);
    }
    return found;
}
static L steps_to(K *k, L found, I end, L come_from, L names) {
    L steps = {0, 0, NULL};
    I size = found.n / 2;
    for (I step = found.p[size + upto(k, end, size)]; step >= 0; step = found.p[size + come_from.p[step]]) push(k, &steps, names.p[step]);
    for (I i = 0; i < steps.n / 2; i++) {
        I other = steps.p[i];
        steps.p[i] = steps.p[steps.n - 1 - i], steps.p[steps.n - 1 - i] = other;
    }
    return steps;
}
static I fresh_fuel(K *k) {
    if (k->left < 0) k->left = left_of(k);
    I before = k->left;
    k->left = FUEL;
    return before;
}
static I old_fuel(K *k, I before) { return k->left = before; }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
