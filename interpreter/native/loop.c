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
static L stand_at(K *k, I pc, L options) {
    set_place(k, 0, pc);
    return options;
}
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
static L run(K *k, I pc) { /* on to the next question; its options. A single answer is taken, where that tells nobody anything */
    count_from_here(k);
    for (I n = 0; n < STEPS; n++) {
        if (pc >= FIRST) {
            pc = PIECES(k, pc);
        } else if (pc == -2) {
            pc = DONE(k, rd(k, 5));
        } else if (pc < 0) {
            return stand_at(k, pc, (L){0, 0, NULL});
        } else {
            L options = OPTIONS(k, pc);
            if (options.n > MOST_OPTIONS) miss(k);
            if (!options.n) {
                pc = otherwise(k, pc);
            } else if (options.n == 1 && SKIPS_p[pc]) {
                stand_at(k, pc, options);
                pc = ANSWERS(k, pc, options.p[0]);
            } else {
                return stand_at(k, pc, options);
            }
        }
    }
    miss(k);
}
static L step(K *k, I code) { /* an answer, and on to the next question */
    count_from_here(k);
    I pc = ANSWERS(k, rd(k, 0), code);
    if (0 <= pc && pc < FIRST) { /* most often it is the next thing */
        L options = OPTIONS(k, pc);
        if (options.n > 1 && options.n < MOST_OPTIONS) return stand_at(k, pc, options);
    }
    return run(k, pc);
}
