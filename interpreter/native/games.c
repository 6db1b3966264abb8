/* Whole games, from set-up to ranking, without Python: many one after the other, with the interpreter lock free.

   A game that is given up (any miss) is for Python to play again; nothing here says why.

   A playout begins in the middle of a game: where its first state stands, with the interpreter lock held, since that state may
   share its lists with others. */

enum { PLAYED, GIVEN_UP, NOT_PLAYED };                 /* how a game has come to its end */
enum { STATUS, DECISIONS, FIRST_RANK };                /* a row of what is told: then the ranks by seat, then the places asked for */
enum { PLAYOUT = 2 };                                   /* as much as so many answers may take: lab/players/playouts.py goes on */
enum { AT_RANDOM, THOUSAND = 1000, MOST_SEATS = 64, MOST_RANKINGS = 16, MOST_SEED = 1 << 16, LOOK_UP = 1 << 14, SIDE_BY_SIDE = 4 };

typedef struct {
    Py_buffer seeds, ends, rows, stop;                 /* all seeds in one, where each ends; a row for each; not 0: leave off */
    I games, width, seats, cells, policies[MOST_SEATS], cell[PLACES];
    State *first;
    I looked;
    L history;                                         /* every answer of every game, one behind the other */
    Notes notes;                                       /* of every game what its rules record, row by row: see `noted` */
    int wants, interrupted, goes_on;           /* goes_on: from where the first state stands */
    I slips, most;                                     /* of a thousand answers so many are any; more answers than that are given up */
    PyThreadState *python;
} Task;
typedef struct {
    Task *task;
    K k;
    Chance chance;
    I s[PLACES];
    Pool *pool;
    unsigned char text[MOST_SEED + 8];
    int alone;                                         /* one pair of dice for all seats */
    Dice *bots, spare;                                 /* those of this game, if alone */
    Dice dice[];                                       /* by seat; if alone, of as many games as begin theirs side by side */
} Player;

static int is_left(Task *task) { /* looked at between two decisions: Ctrl-C comes as a signal, or from who waits for us */
    if (*(volatile char *)task->stop.buf) return 1;
    if (++task->looked % LOOK_UP) return 0;
    if (task->goes_on) return task->interrupted = PyErr_CheckSignals();
    PyEval_RestoreThread(task->python);
    task->interrupted = PyErr_CheckSignals();
    task->python = PyEval_SaveThread();
    return task->interrupted;
}
enum { NOTHING_MORE, ANSWERS_TOO, NOTES_TOO, MOST_ROWS = 100000 }; /* what is wanted beside the rows; of what one game records */

static int has_room(I **p, I *room, I n) { /* for so many numbers */
    if (n <= *room) return 1;
    I wider = max_(max_(2 * *room, 4096), n), *moved = realloc(*p, wider * sizeof(I));
    if (!moved) return 0;
    *p = moved, *room = wider;
    return 1;
}
static int written_down(L *history, I code) {
    if (!has_room(&history->p, &history->room, history->n + 1)) return 0;
    history->p[history->n++] = code;
    return 1;
}
static I noted(K *k, I record, L values) { /* which, whose turn it was, the turn's number, how many numbers follow, and these */
    Notes *notes = k->notes;
    if (!notes || dry_of(k)) return 0;
    if (++notes->rows > MOST_ROWS || !has_room(&notes->p, &notes->room, notes->n + 4 + values.n)) miss(k);
    I *row = notes->p + notes->n;
    row[0] = record, row[1] = notes->seat, row[2] = notes->turn, row[3] = values.n;
    if (values.n) memcpy(row + 4, values.p, values.n * sizeof(I));
    notes->n += 4 + values.n;
    return 0;
}
static I turn_begins(K *k, I seat) { /* one that stands in no other; -1: it is nobody's any longer */
    if (k->notes && !dry_of(k)) k->notes->turn += seat >= 0, k->notes->seat = seat;
    return 0;
}
static unsigned *key_for(Player *p, const unsigned char *seed, I n, const char *whose, int *words) { /* of `{seed}/{whose}` */
    I more = (I)strlen(whose);
    if (n > MOST_SEED - 16) n = 0;                     /* of a game that is not played here */
    if (n) memcpy(p->text, seed, n);
    p->text[n] = '/';
    memcpy(p->text + n + 1, whose, more);
    return dice_key(p->text, n + 1 + more, words);
}
static void dice_begin_all(Player *p, unsigned *const *key, const int *words, int many) {
    for (int first = 0; first < many; first += 4) {
        Dice *four[4];
        unsigned *keys[4];
        int wide[4], long_one = 0;
        for (int d = 0; d < 4; d++) {
            const int at = first + d < many ? first + d : first;
            four[d] = at == first + d ? p->dice + at : &p->spare, keys[d] = key[at], wide[d] = words[at];
            long_one |= words[at] > TWISTED;
        }
        if (!long_one) dice_begin_four(four, keys, wide);
        else for (int at = first; at < many && at < first + 4; at++) dice_begin(p->dice + at, key[at], words[at]);
    }
}
static int dice_for_seats(Player *p, const unsigned char *seed, I n) {
    unsigned *key[MOST_SEATS];
    int words[MOST_SEATS], there = 1, many = (int)p->task->seats;
    char whose[8];
    for (int seat = 0; seat < many; seat++) {
        snprintf(whose, sizeof whose, "%d", seat + 1);
        there &= (key[seat] = key_for(p, seed, n, whose, words + seat)) != NULL;
    }
    if (there) dice_begin_all(p, key, words, many);
    for (int seat = 0; seat < many; seat++) free(key[seat]);
    return there;
}
static int dice_for_games(Player *p, I game) { /* for this one and the next ones */
    unsigned *key[SIDE_BY_SIDE];
    int words[SIDE_BY_SIDE], there = 1, many = (int)min_(SIDE_BY_SIDE, p->task->games - game);
    const I *ends = p->task->ends.buf;
    for (int d = 0; d < many; d++) {
        const I from = game + d ? ends[game + d - 1] : 0;
        there &= (key[d] = key_for(p, (const unsigned char *)p->task->seeds.buf + from, ends[game + d] - from, "bots", words + d)) != NULL;
    }
    if (there) dice_begin_all(p, key, words, many);
    for (int d = 0; d < many; d++) free(key[d]);
    return there;
}
static I answer_of(Player *p, L options) { /* its place */
    K *k = &p->k;
    if (p->alone) return dice_part(p->bots, options.n);
    I seat = SEATS(k, k->s[0]);
    if (seat < 0 || seat >= p->task->seats) miss(k);
    if (p->task->policies[seat] == AT_RANDOM) return dice_below(p->dice + seat, options.n);
#ifdef HAS_POLICIES
    if (p->task->slips && dice_below(p->dice + seat, THOUSAND) < p->task->slips) return dice_below(p->dice + seat, options.n);
    count_from_here(k);
    L best = POLICIES(k, p->task->policies[seat] - 1, k->s[0], seat, options);
    if (best.n > 0) return upto(k, best.p[best.n == 1 ? 0 : dice_below(p->dice + seat, best.n)], options.n);
#endif
    miss(k);
}
static void rank(K *k, I seats, I *ranks) { /* by seat: how many places are better than its own; those who tie share one */
    I keys[MOST_SEATS][MOST_RANKINGS + 1], best[MOST_SEATS];
    if (RANKINGS > MOST_RANKINGS) miss(k);
    for (I seat = 0; seat < seats; seat++) for (I i = 0; i < RANKINGS; i++) keys[seat][i] = RANKS(k, i, seat);
    for (I seat = 0; seat < seats; seat++) {
        ranks[seat] = 0;
        for (I other = 0, n = 0; other < seats; other++) {
            I i = 0, known = 0;
            while (i < RANKINGS && keys[other][i] == keys[seat][i]) i++;
            if (i == RANKINGS || keys[other][i] < keys[seat][i]) continue;
            for (I b = 0; b < n && !known; b++) known = !memcmp(keys[best[b]], keys[other], RANKINGS * sizeof(I));
            if (!known) best[n++] = other, ranks[seat]++;
        }
    }
}
static I spent_on(K *k) { /* the steps that have been counted since counting began */
    return k->left < 0 ? 0 : k->left_before - k->left;
}
static void to_the_end(Player *p, I *row) {
    K *k = &p->k;
    Task *task = p->task;
    I spent = 0;
    if (task->goes_on) count_from_here(k);
    L options = task->goes_on ? OPTIONS(k, upto(k, rd(k, 0), FIRST)) : run(k, START);
    for (; options.n; row[DECISIONS]++) {
        if (is_left(task)) {
            row[STATUS] = NOT_PLAYED;
            return;
        }
        if (row[DECISIONS] >= task->most) miss(k);
        if (k->left >= 0) k->left = k->left_before;
        I code = item(k, options, answer_of(p, options));
        spent += spent_on(k);
        if (task->wants == ANSWERS_TOO && !written_down(&task->history, code)) miss(k);
        all_room(k);
        if (unlikely(p->pool != NULL) && p->pool->n > POOL_FULL) tidied(p->s, &p->pool);
        options = step(k, code);
        spent += spent_on(k);
        if (task->goes_on && spent > PLAYOUT * FUEL) miss(k);
    }
    rank(k, task->seats, row + FIRST_RANK);
    for (I i = 0; i < task->cells; i++)
        if ((row[FIRST_RANK + task->seats + i] = k->s[task->cell[i]]) <= HANDLES) miss(k);
    row[STATUS] = PLAYED;
}
static void play_one(Player *p, const unsigned char *seed, I n, I *row) {
    K *k = &p->k;
    Notes *notes = &p->task->notes;
    const I before = p->task->history.n, noted_before = notes->n;
    row[STATUS] = GIVEN_UP, row[DECISIONS] = 0;
    if (n > MOST_SEED - 16 || (n >= 5 && !memcmp(seed, "told ", 5))) return; /* words that are told are Python's */
    if (!p->alone && !dice_for_seats(p, seed, n)) return;
    chance_begins(&p->chance, seed, n);
    memcpy(p->s, p->task->first->s, sizeof p->s);
    if (p->task->goes_on && (p->pool = p->task->first->pool)) p->pool->users++;
    fresh(k);
    k->s = p->s, k->pool = &p->pool, k->S = k->C = k->list = NULL, k->chance = &p->chance, k->keeps = 0, k->dry = 0;
    notes->rows = notes->turn = 0, notes->seat = -1;
    if (!_setjmp(k->back)) {
        if (p->task->wants == NOTES_TOO) {
            if (!has_room(&notes->p, &notes->room, notes->n + 1)) miss(k);
            notes->p[notes->n++] = 0;                  /* how many numbers follow of this game */
            k->notes = notes;
        }
        to_the_end(p, row);
    }
    if (row[STATUS] != PLAYED) p->task->history.n = before, notes->n = noted_before;
    else if (k->notes) notes->p[noted_before] = notes->n - noted_before - 1;
    all_room(k);
    if (k->was != k->first_was) free(k->was);
    let_go(&p->pool);
}
static int play_all(Task *task) {
    int alone = 1;
    for (I seat = 0; seat < task->seats; seat++) alone &= task->policies[seat] == AT_RANDOM;
    Player *p = malloc(sizeof(Player) + max_(SIDE_BY_SIDE, task->seats) * sizeof(Dice));
    if (!p) return -1;
    p->task = task, p->pool = NULL, p->alone = alone;
    for (I game = 0, at = 0; game < task->games; game++) {
        I end = ((const I *)task->ends.buf)[game], *row = (I *)task->rows.buf + game * task->width;
        row[STATUS] = NOT_PLAYED;
        p->bots = p->dice + game % SIDE_BY_SIDE;
        if (!task->interrupted && !*(volatile char *)task->stop.buf) {
            if (alone && !(game % SIDE_BY_SIDE) && !dice_for_games(p, game)) return free(p), -1;
            play_one(p, (const unsigned char *)task->seeds.buf + at, end - at, row);
        }
        at = end;
    }
    free(p);
    FORGET_ANSWERS();
    return 0;
}
static int numbers_in(O given, I *p, I most) { /* of a tuple; how many, -1: an error is set */
    Py_ssize_t n = PyTuple_GET_SIZE(given);
    if (n > most) return PyErr_SetString(PyExc_ValueError, "too many"), -1;
    for (Py_ssize_t i = 0; i < n; i++) {
        p[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(given, i));
        if (p[i] < 0) return PyErr_Occurred() ? -1 : (PyErr_SetString(PyExc_ValueError, "below nothing"), -1);
    }
    return (int)n;
}
static int is_sound(Task *task) {
    task->games = task->ends.len / (I)sizeof(I);
    task->width = FIRST_RANK + task->seats + task->cells;
    int sound = task->rows.len >= task->games * task->width * (I)sizeof(I) && task->stop.len > 0;
    for (I i = 0, at = 0; sound && i < task->games; i++) {
        I end = ((const I *)task->ends.buf)[i];
        sound = at <= end && end <= task->seeds.len;
        at = end;
    }
    for (I i = 0; sound && i < task->cells; i++) sound = task->cell[i] < PLACES;
    return sound;
}
static O games(O self, O given) { /* rows are filled; gives of every game that was played to its end the answers, or what it recorded, or None */
    Task task = {.most = MOST_DECISIONS};
    O first, policies, cells, found = NULL;
    (void)self;
    if (!PyArg_ParseTuple(given, "O!y*y*w*y*O!O!i|pLL", &StateType, &first, &task.seeds, &task.ends, &task.rows, &task.stop,
                          &PyTuple_Type, &policies, &PyTuple_Type, &cells, &task.wants, &task.goes_on, &task.slips, &task.most))
        return NULL;
    task.first = (State *)first;
    task.seats = numbers_in(policies, task.policies, MOST_SEATS), task.cells = numbers_in(cells, task.cell, PLACES);
    if (task.seats >= 0 && task.cells >= 0) {
        if (!is_sound(&task)) PyErr_SetString(PyExc_ValueError, "rows, seeds and places do not fit together");
        else {
            if (!task.goes_on) task.python = PyEval_SaveThread();
            int failed = play_all(&task);
            if (!task.goes_on) PyEval_RestoreThread(task.python);
            if (failed) PyErr_NoMemory();
            else if (!task.interrupted)
                found = task.wants == ANSWERS_TOO ? PyBytes_FromStringAndSize((const char *)task.history.p, task.history.n * sizeof(I))
                      : task.wants == NOTES_TOO ? PyBytes_FromStringAndSize((const char *)task.notes.p, task.notes.n * sizeof(I)) : held(Py_None);
        }
    }
    free(task.history.p), free(task.notes.p);
    PyBuffer_Release(&task.seeds), PyBuffer_Release(&task.ends), PyBuffer_Release(&task.rows), PyBuffer_Release(&task.stop);
    return found;
}
