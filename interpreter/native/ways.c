/* Ways from place to place, as `runtime/ways.py` has them: what is said there of places and steps holds here.

   What a search has found is kept from call to call, by all that it has read. Whoever asks gets a copy of it. */

enum { MOST_ASKED = 64, MOST_KEPT = 2 };
typedef struct { I asked, seen, found, when, *p; } Answer; /* so much was asked, read and found; one behind the other */
typedef struct { I low, size, steps, *first, *to, *which, n, clock; Answer known[MOST_ASKED]; } Kept;

static int asked_the_same(const Answer *one, L asked) {
    return one->asked == asked.n && !memcmp(one->p, asked.p, asked.n * sizeof(I));
}
static L recalled(K *k, Kept *kept, L asked, L seen) { /* what was found when all was the same; n = -1: nothing */
    for (I i = 0; i < kept->n; i++) {
        Answer *one = kept->known + i;
        if (one->seen != seen.n || !asked_the_same(one, asked)) continue;
        if (memcmp(one->p + asked.n, seen.p, seen.n * sizeof(I))) continue;
        L found = {one->found, one->found, room(k, (one->found + 1) * (I)sizeof(I))};
        memcpy(found.p, one->p + asked.n + seen.n, one->found * sizeof(I));
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
static inline I or_else(K *k, I cost, I other) { return (void)k, cost < 0 ? other : cost; }

static I place_of(K *k, I id, I low, I size) { return upto(k, id - low, size); }

static L flood(K *k, Kept *net, L starts, L weights) {
    I size = net->size, low = net->low, done = 0;
    char *reached = room(k, size + 1);
    L fresh = {0, size, room(k, (size + 1) * (I)sizeof(I))}, found = {0, size, room(k, (size + 1) * (I)sizeof(I))};
    memset(reached, 0, size);
    for (I i = 0; i < starts.n; i++)
        if (starts.p[i] >= low) {
            I here = place_of(k, starts.p[i], low, size);
            if (!reached[here]) reached[here] = 1, fresh.p[fresh.n++] = here;
        }
    for (; done < fresh.n; done++) {
        I here = fresh.p[done];
        for (I step = net->first[here]; step < net->first[here + 1]; step++) {
            I there = net->to[step];
            if (!reached[there] && item(k, weights, net->which[step]) >= 0) reached[there] = 1, fresh.p[fresh.n++] = there;
        }
    }
    for (I here = 0; here < size; here++) if (reached[here]) found.p[found.n++] = here + low;
    return found;
}

/* A heap of places by what the best way there costs so far, then by its steps, then by their numbers. */

typedef struct { I cost, steps, here; } Arrival;

static inline int sooner(const Arrival *a, const Arrival *b) {
    if (a->cost != b->cost) return a->cost < b->cost;
    if (a->steps != b->steps) return a->steps < b->steps;
    return a->here < b->here;
}
static void arrive(Arrival *heap, I n, Arrival one) { /* puts one behind so many */
    for (I up; n && sooner(&one, heap + (up = (n - 1) / 2)); n = up) heap[n] = heap[up];
    heap[n] = one;
}
static Arrival leave_first(Arrival *heap, I n) { /* takes the first of so many out */
    Arrival first = heap[0], last = heap[--n];
    I at = 0;
    for (I down; (down = 2 * at + 1) < n; at = down) {
        if (down + 1 < n && sooner(heap + down + 1, heap + down)) down++;
        if (!sooner(heap + down, &last)) break;
        heap[at] = heap[down];
    }
    heap[at] = last;
    return first;
}
static L ways(K *k, Kept *net, L starts, L weights) {
    I size = net->size, low = net->low, n = 0;
    L found = {2 * size, 2 * size, room(k, (2 * size + 1) * (I)sizeof(I))};
    I *cost = found.p, *last = found.p + size, *steps = room(k, (size + 1) * (I)sizeof(I));
    Arrival *heap = room(k, (size + net->steps + 1) * (I)sizeof(Arrival)); /* a place comes in anew with another step to it */
    for (I here = 0; here < size; here++) cost[here] = last[here] = -1, steps[here] = 0;
    for (I i = 0; i < starts.n; i++)
        if (starts.p[i] >= low) {
            I here = place_of(k, starts.p[i], low, size);
            if (cost[here]) cost[here] = 0, arrive(heap, n++, (Arrival){0, 0, here});
        }
    while (n) {
        Arrival one = leave_first(heap, n--);
        if (one.cost != cost[one.here] || one.steps != steps[one.here]) continue;
        for (I step = net->first[one.here]; step < net->first[one.here + 1]; step++) {
            I there = net->to[step], weight = item(k, weights, net->which[step]);
            if (weight < 0) continue;
            I made = one.cost + weight, many = one.steps + 1;
            if (made > LARGEST) miss(k);
            if (cost[there] < 0 || made < cost[there] || (made == cost[there] && many < steps[there])) {
                cost[there] = made, steps[there] = many, last[there] = step;
                arrive(heap, n++, (Arrival){made, many, there});
            } else if (made == cost[there] && many == steps[there] && step < last[there])
                last[there] = step;
        }
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
