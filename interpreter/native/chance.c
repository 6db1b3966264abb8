/* Chance, word for word as Python has it, and the dice of those who answer: the Mersenne Twister that Python calls `Random`. */

enum { KEY_BYTES = 32 };
static void chance_keyed(Chance *chance, const unsigned char *bytes) {
    U key[16] = {0};
    memcpy(key, bytes, KEY_BYTES);
    blake_begins(chance->key, 64, KEY_BYTES);
    blake_block(chance->key, key, 128, 0); /* the key comes first, and is the same for all words */
    chance->block = -1, chance->shift = 0;
}
static void chance_begins(Chance *chance, const unsigned char *seed, I n) {
    U h[8];
    blake_whole(h, seed, n);
    chance_keyed(chance, (const unsigned char *)h);
}
static __attribute__((noinline)) void next_words(Chance *chance, I block) {
    U h[8], m[16] = {(U)block};
    memcpy(h, chance->key, 64);
    blake_block(h, m, 136, 1);
    for (int i = 0; i < 16; i++) chance->word[i] = (unsigned)(h[i / 2] >> 32 * (i & 1));
    chance->block = block;
}
static inline unsigned word_of(Chance *chance, I at) {
    at -= chance->shift;
    if (unlikely(at >> 4 != chance->block)) next_words(chance, at >> 4);
    return chance->word[at & 15];
}
static I dry_of(K *k) {
    if (unlikely(k->dry < 0)) k->dry = dry_told(k);
    return k->dry;
}
/* What makes the words of a key here. Their owner in Python keeps it, so that the key is gone through once and not for each answer. */
typedef struct { PyObject_HEAD Chance chance; } Maker;
static void maker_dealloc(O self) { PyObject_Free(self); }
static O maker_reduce(O self, O none) { return (void)self, (void)none, Py_BuildValue("O()", Py_TYPE(Py_None)); } /* elsewhere it is made again */
static PyMethodDef MAKER_METHODS[] = {{"__reduce__", maker_reduce, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};
static PyTypeObject MakerType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ichiba.Maker",
    .tp_doc = "What makes words of chance in machine code.",
    .tp_basicsize = sizeof(Maker),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_dealloc = maker_dealloc,
    .tp_methods = MAKER_METHODS,
};
static O new_maker(O words) { /* for words that come from their key alone; NULL: for others, or an error is set */
    O told = PyObject_GetAttr(words, TOLD_NAME), bytes = PyObject_GetAttr(words, KEY_NAME);
    Maker *made = NULL;
    if (told && bytes && PyObject_Not(told) == 1 && PyBytes_CheckExact(bytes) && PyBytes_GET_SIZE(bytes) == KEY_BYTES
        && (made = PyObject_New(Maker, &MakerType))) {
        chance_keyed(&made->chance, (const unsigned char *)PyBytes_AS_STRING(bytes));
        Py_XSETREF(*in_slot(words, IN_C_SLOT), held((O)made));
    }
    Py_XDECREF(told), Py_XDECREF(bytes);
    return (O)made;
}
static int makes_its_own(K *k, O words) { /* whether the words of this owner are made from its key alone: then they are made here */
    if ((O)Py_TYPE(words) != WORDS_CLASS) return 0;
    O maker = *in_slot(words, IN_C_SLOT);
    maker = maker && Py_IS_TYPE(maker, &MakerType) ? held(maker) : new_maker(words); /* none yet, or another library's */
    if (!maker && PyErr_Occurred()) go_back(k, RAISED);
    if (maker) k->maker = maker, k->chance = &((Maker *)maker)->chance;
    return maker != NULL;
}
static I word_told(K *k, I at) { /* the words of chance that Python has made, and makes */
    if (k->words && likely(at < PyList_GET_SIZE(k->words))) return num(k, PyList_GET_ITEM(k->words, at));
    O owner = held(of_context(k, WORDS_SLOT)), made, found = NULL;
    const int own = makes_its_own(k, owner);
    if (!own && (made = PyObject_GetAttr(owner, WORDS))) {
        O index = object(k, at);
        if (PyList_CheckExact(made)) k->words = made; /* kept by its owner, which the context keeps */
        found = k->words && at < PyList_GET_SIZE(made) ? held(PyList_GET_ITEM(made, at)) : PyObject_CallMethodOneArg(owner, MORE, index);
        Py_DECREF(index), Py_DECREF(made);
    }
    Py_DECREF(owner);
    if (own) return word_of(k->chance, at);
    if (!found) go_back(k, RAISED);
    return number_of(k, found);
}
static I word(K *k) {
    if (unlikely(dry_of(k))) stop(k);
    I at = rd(k, 1);
    if (unlikely(at < 0 || at >= MOST_WORDS)) miss(k);
    put(k, 1, at + 1);
    return likely(k->chance != NULL) ? (I)word_of(k->chance, at) : word_told(k, at);
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
static I weighted_among(K *k, I low, I high, I total) { /* of neighbouring places */
    I r = below(k, total);
    whole(k, low, high);
    all_near(k, low, high);
    for (I i = low; i < high; i++)
        if ((r -= k->s[i]) < 0) return i;
    miss(k);
}
enum { FEW = 16 };
static I counted_off(K *k, I low, I high, I r) { /* the place at which that many have been passed */
    for (I c = low, passed = 0; c < high; c++) if (r < (passed += k->s[c])) return c;
    miss(k);
}
static L draw_many(K *k, I low, I high, I amount) {
    I total = sum_of(k, low, high), n = min_(amount, total), kinds = high - low, few = kinds <= FEW, count[FEW];
    if (total > 0 && amount > 0 && dry_of(k)) stop(k);
    L drawn = empty_for(k, n < PLACES ? n : 0);
    for (I i = 0; i < kinds && few; i++) count[i] = k->s[low + i], few = count[i] >= 0;
    for (; n > 0; n--) {
        I r = below(k, total--), c = 0, passed = 0;
        if (!few) c = counted_off(k, low, high, r) - low;
        else for (I i = 0; i < kinds; i++) passed += count[i], c += r >= passed; /* no branch, since none could be foreseen */
        if (unlikely(c >= kinds)) miss(k);
        if (few) count[c]--;
        set_place(k, low + c, k->s[low + c] - 1);
        push(k, &drawn, low + c);
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

/* ------------------------------------------------------------------------------------------------- dice */

enum { TWISTED = 624, SHIFTED = 397, LANES = 4 };
typedef struct { unsigned at, word[TWISTED], thrown[TWISTED]; } Dice; /* the words it goes on from, and what they come to when they are thrown */

static unsigned before_last(const Dice *dice, int i) { return dice->word[i - 1] ^ dice->word[i - 1] >> 30; }
static unsigned FIRST_WORDS[TWISTED]; /* with which all dice begin */
static void first_words(void) {
    FIRST_WORDS[0] = 19650218u;
    for (int at = 1; at < TWISTED; at++)
        FIRST_WORDS[at] = 1812433253u * (FIRST_WORDS[at - 1] ^ FIRST_WORDS[at - 1] >> 30) + (unsigned)at;
}
static void dice_begin(Dice *dice, const unsigned *key, int n) { /* `init_by_array` of its authors */
    int i = 1, j = 0;
    memcpy(dice->word, FIRST_WORDS, sizeof FIRST_WORDS);
    for (int left = n > TWISTED ? n : TWISTED; left; left--) {
        dice->word[i] = (dice->word[i] ^ before_last(dice, i) * 1664525u) + key[j] + (unsigned)j;
        if (++i >= TWISTED) dice->word[0] = dice->word[TWISTED - 1], i = 1;
        if (++j >= n) j = 0;
    }
    for (int left = TWISTED - 1; left; left--) {
        dice->word[i] = (dice->word[i] ^ before_last(dice, i) * 1566083941u) - (unsigned)i;
        if (++i >= TWISTED) dice->word[0] = dice->word[TWISTED - 1], i = 1;
    }
    dice->word[0] = 0x80000000u, dice->at = TWISTED;
}
#define STIR(d, factor) (dice[d]->word[at] ^ (last[d] ^ last[d] >> 30) * factor)
#define WITH_KEY(d) (dice[d]->word[at] = last[d] = STIR(d, 1664525u) + key[d][j[d]] + (unsigned)j[d], j[d] = j[d] + 1 < n[d] ? j[d] + 1 : 0)
#define WITHOUT(d) (dice[d]->word[at] = last[d] = STIR(d, 1566083941u) - (unsigned)at)
#define FOUR(do) do(0); do(1); do(2); do(3)
static void dice_begin_four(Dice *const *dice, unsigned *const *key, const int *n) { /* the same for four side by side: each word
    hangs on the one before it, so that one alone would leave the processor waiting. No key is longer than the dice. */
    unsigned last[4];
    int j[4] = {0, 0, 0, 0};
    for (int d = 0; d < 4; d++) memcpy(dice[d]->word, FIRST_WORDS, sizeof FIRST_WORDS), last[d] = FIRST_WORDS[0];
    for (int at = 1; at < TWISTED; at++) { FOUR(WITH_KEY); }
    for (int d = 0; d < 4; d++) dice[d]->word[0] = last[d];
    int at = 1; /* behind the last word comes the second again: the first is now the last */
    FOUR(WITH_KEY);
    for (at = 2; at < TWISTED; at++) { FOUR(WITHOUT); }
    at = 1;
    FOUR(WITHOUT);
    for (int d = 0; d < 4; d++) dice[d]->word[0] = 0x80000000u, dice[d]->at = TWISTED;
}
static unsigned *dice_key(const unsigned char *text, I n, int *words) { /* of `Random(text)`: the text and its digest, as one number */
    I bytes = n + 64;
    unsigned char *whole = malloc(bytes);
    unsigned *key = calloc((bytes + 3) / 4, sizeof(unsigned));
    *words = (int)((bytes + 3) / 4);
    if (whole && key) {
        memcpy(whole, text, n);
        sha_whole(whole + n, text, n);
        for (I i = 0; i < bytes; i++) key[i / 4] |= (unsigned)whole[bytes - 1 - i] << 8 * (i % 4);
        while (*words > 1 && !key[*words - 1]) --*words;
    }
    free(whole);
    return key;
}
/* All words of a round at once, four side by side: each hangs on its neighbours and on one far away, never on the three beside it. */
typedef unsigned Four __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

static inline Four four(const unsigned *from) { return *(const Four *)from; }
static inline Four twisted(Four one, Four next) {
    const Four both = (one & 0x80000000u) | (next & 0x7fffffffu);
    return both >> 1 ^ (-(both & 1) & 0x9908b0dfu);
}
static inline void twist_four(unsigned *w, int i, int far) { *(Four *)(w + i) = four(w + far) ^ twisted(four(w + i), four(w + i + 1)); }
static unsigned twisted_one(unsigned one, unsigned next) { return twisted((Four){one}, (Four){next})[0]; }
static __attribute__((noinline)) void dice_round(Dice *dice) {
    unsigned *w = dice->word;
    int i = 0;
    for (; i + LANES <= TWISTED - SHIFTED; i += LANES) twist_four(w, i, i + SHIFTED);
    for (; i < TWISTED - SHIFTED; i++) w[i] = w[i + SHIFTED] ^ twisted_one(w[i], w[i + 1]);
    for (; i + LANES < TWISTED; i += LANES) twist_four(w, i, i + SHIFTED - TWISTED);
    for (; i < TWISTED; i++) w[i] = w[i + SHIFTED - TWISTED] ^ twisted_one(w[i], w[(i + 1) % TWISTED]);
    for (i = 0; i < TWISTED; i += LANES) {
        Four y = four(w + i);
        y ^= y >> 11, y ^= y << 7 & 0x9d2c5680u, y ^= y << 15 & 0xefc60000u;
        *(Four *)(dice->thrown + i) = y ^ y >> 18;
    }
    dice->at = 0;
}
static inline unsigned thrown(Dice *dice) {
    if (unlikely(dice->at >= TWISTED)) dice_round(dice);
    return dice->thrown[dice->at++];
}
static I dice_part(Dice *dice, I n) { /* `int(random() * n)` */
    unsigned a = thrown(dice) >> 5, b = thrown(dice) >> 6;
    return (I)((a * 67108864.0 + b) * (1.0 / 9007199254740992.0) * (double)n);
}
static I dice_below(Dice *dice, I n) { /* `randrange(n)`, and the place that `choice` takes */
    int bits = 0;
    I r = n;
    while (n >> bits) bits++;
    while (r >= n) r = (I)(thrown(dice) >> (32 - bits));
    return r;
}
