/* The loop that goes from piece to piece: what `to_python/loop.py` says in Python, for tables on which nobody listens.

   What a piece gives is the number of the next thing: a piece, a question, or an end (below zero). COUNTED: some loops of
   the rules count their passes, from each answer on. */

#ifdef COUNTED
#define count_from_here(k) refuel(k)
#else
#define count_from_here(k) (void)0
#endif

static I otherwise(K *k, I question) { /* where it goes on when a question has no answer */
    if (OTHERWISE_p[question] < 0) miss(k);
    return OTHERWISE_p[question];
}
static inline void stand_at(K *k, I pc) { set_place(k, 0, pc); }
static I to_question(K *k, I pc) { /* within a secret block: on to the next question that has an answer */
    for (;;) {
        for (I n = 0; pc >= FIRST; n++) {
            if (n >= STEPS) miss(k);
            pc = PIECES(k, pc);
        }
        if (pc < 0 || EXISTS(k, pc)) return pc;
        pc = otherwise(k, pc);
    }
}

/* ---------------------------------------------------------------------------------------------- trying things out */

typedef I (*Trial)(K *, I, I, I);

static I tried(K *k, Trial trial, I a, I b, I c) { /* what it gives, done on the state itself and taken back; 0: a `require` fails */
    jmp_buf before;
    const I trail = k->trail, keeps = k->keeps;
    char *const free_before = k->free;
    Chunk *const chunks = k->chunks;
    I found = 0;
    if (++k->depth > MOST_DEEP) miss(k);
    memcpy(before, k->back, sizeof before);
    k->keeps = 1;
    if (!_setjmp(k->back)) found = trial(k, a, b, c);
    else if (k->why == STOPPED) found = 1;
    else if (k->why != UNMET) {
        memcpy(k->back, before, sizeof before);
        go_back(k, k->why);
    }
    memcpy(k->back, before, sizeof before);
    put_back(k, trail);
    k->keeps = keeps, k->depth--;
    if (k->chunks == chunks) k->free = free_before;
    return found;
}
static I leads_on(K *k, I pc, I seat, I depth);
static I leads_on_from(K *k, I code, I seat, I depth) { return leads_on(k, ANSWERS(k, k->asked, code), seat, depth); }
static I leads_on(K *k, I pc, I seat, I depth) { /* whether some answer to each question can be carried through */
    const I end = k->dry;
    for (I n = 0; n < 1000; n++) {
        for (I steps = 0; pc >= FIRST; steps++) {
            if (steps >= STEPS) miss(k);
            pc = PIECES(k, pc);
        }
        if (pc < 0 || (others_has(k, end, pc) && SEATS(k, pc) != seat)) return 1;
        if (!deep_has(k, end, pc)) {
            if (EXISTS(k, pc)) return 1;
        } else {
            L options = OPTIONS(k, pc);
            if (options.n && depth > 5) return 1;
            for (I i = 0; i < options.n - 1; i++) {
                k->asked = pc;
                if (tried(k, leads_on_from, options.p[i], seat, depth + 1)) return 1;
            }
            if (options.n) {
                pc = ANSWERS(k, pc, options.p[options.n - 1]);
                continue;
            }
        }
        if ((pc = OTHERWISE_p[pc]) < 0) return 0;
    }
    return 1;
}
static I first_tried(K *k, I site, I code, I seat) { return leads_on(k, ANSWERS(k, site, code), seat, 0); }
static I dry_run(K *k, I site, I code, I end) { /* whether an answer can be carried through */
    const I before = k->dry;
    I seat = SEATS(k, site);
    k->dry = end;
    I found = tried(k, first_tried, site, code, seat);
    k->dry = before;
    return found;
}

/* ------------------------------------------------------------------------------------------- from question to question */

static L go_on(K *k, I pc) { /* on to the next question; its options. A single answer is taken, where that tells nobody anything */
    for (I n = 0; n < STEPS; n++) {
        if (pc >= FIRST) {
            pc = PIECES(k, pc);
        } else if (pc == -2) {
            pc = DONE(k, rd(k, 5));
        } else if (pc < 0) {
            stand_at(k, pc);
            return (L){0, 0, NULL};
        } else {
            L options = OPTIONS(k, pc);
            if (options.n > MOST_OPTIONS) miss(k);
            if (!options.n) {
                pc = otherwise(k, pc);
            } else if (options.n == 1 && SKIPS_p[pc]) {
                stand_at(k, pc);
                pc = ANSWERS(k, pc, options.p[0]);
            } else {
                stand_at(k, pc);
                return options;
            }
        }
    }
    miss(k);
}
static L run(K *k, I pc) { /* from the beginning of a piece */
    count_from_here(k);
    return go_on(k, pc);
}
static L step(K *k, I code) { /* an answer, and on to the next question */
    count_from_here(k);
    I pc = ANSWERS(k, rd(k, 0), code);
    if (0 <= pc && pc < FIRST) { /* most often it is the next thing */
        L options = OPTIONS(k, pc);
        if (options.n > 1 && options.n < MOST_OPTIONS) {
            stand_at(k, pc);
            return options;
        }
    }
    return go_on(k, pc);
}
