/* Tsukiji by hand in C: the mark for what the game costs at all. The same decisions in the same order as `tsukiji.py`, and the same
   packed heaps of cards; `in_c.py` looks into it, and the tests play it in lock-step with the rules. */

#include <stdint.h>
#include <string.h>

typedef uint64_t U;

enum { LAYING, BUYING, TAKUSAN, YAKUZA, OVER };
enum { ROUNDS = 7, LOTS = 5, SEATS = 4, CARDS = ROUNDS * LOTS * 3, REFUSE = 7 };
enum { FIRST_MONEY = 48, SEAT_BONUS = 3, REFUSAL = 3, DEAREST = 12, LAST_SPACE = 60 };
enum { FIELD = 7, EXTRAS = 6 * FIELD, LEVEL = 32, NORMAL = 31, ALL_TICKETS = 511 };

#define EACH(n) ((U)(n) * (1ull | 1ull << FIELD | 1ull << 2 * FIELD | 1ull << 3 * FIELD | 1ull << 4 * FIELD))
#define PRODUCTS ((1ull << EXTRAS) - 1)
#define COUNT(cards, product) ((cards) >> FIELD * (product) & 127)

typedef struct {
    U columns[SEATS], wild[SEATS], offers[ROUNDS * LOTS];
    int32_t markers[5], cash[SEATS], prices[LOTS], scores[SEATS], met[SEATS];
    uint16_t hands[SEATS], hand;
    uint8_t laid[SEATS * LOTS];
    uint8_t seats, special_points, phase, seat, to_lay, turns, start, clock, round, unsold, extras, now, priced, arrivals;
} Game;

static const int DECK[5][8] = {{0}, {0}, {9, 9, 9, 9, 9, 9, 4, 5}, {12, 12, 12, 12, 12, 12, 6, 6}, {15, 15, 15, 15, 15, 15, 7, 8}};
static const int PRICE[5][5] = {{0}, {0}, {12, 9, 5}, {12, 9, 6, 3}, {12, 9, 7, 5, 3}};
static const int MODIFIER[5][5] = {{0}, {0}, {4, 2, -1}, {4, 2, 0, -1}, {4, 2, 1, 0, -1}};
static const int FINAL[5] = {10, 7, 5, 3, 1};

/* A ticket's worth, above it whether it is a four, a cancel, a double. */
#define WORTH(worth, four, cancel, twice) ((worth) + 64 + ((four) << 16) + ((cancel) << 20) + ((twice) << 24))
static const int TICKET[9] = {WORTH(0, 0, 0, 0), WORTH(1, 0, 0, 0), WORTH(2, 0, 0, 0), WORTH(3, 0, 0, 0), WORTH(4, 1, 0, 0),
                              WORTH(2, 0, 1, 0), WORTH(-1, 0, 0, 0), WORTH(6, 0, 0, 0), WORTH(0, 0, 0, 1)};
static U CARD[8];
static uint8_t NTH[512][9]; /* by a set: its members from the lowest */

__attribute__((constructor)) static void tables(void) {
    for (int kind = 0; kind < 6; kind++) CARD[kind] = 1ull << FIELD * kind;
    CARD[6] = 1ull << EXTRAS, CARD[7] = 1ull << (EXTRAS + 2);
    for (int set = 0; set < 512; set++) for (int bit = 0, n = 0; bit < 9; bit++) if (set >> bit & 1) NTH[set][n++] = (uint8_t)bit;
}

/* ------------------------------------------------------------------------------------------------------ rounds */

static inline void ask_hand(Game *g, int seat) {
    g->seat = (uint8_t)seat, g->to_lay = g->seats + 1, g->hand = g->hands[seat];
}
static void finish(Game *g);
static void next_round(Game *g) {
    if (g->round == ROUNDS) {
        finish(g);
        return;
    }
    g->round++, g->phase = LAYING, g->priced = 0;
    ask_hand(g, 0);
}
static void set_prices(Game *g) {
    const int seats = g->seats, lots = seats + 1;
    const U *offer = g->offers + (g->round - 1) * lots;
    int keys[LOTS];
    U steps = EACH(LEVEL);
    for (int lot = 0; lot < lots; lot++) {
        int heap = 0;
        for (int at = lot; at < seats * lots; at += lots) heap += TICKET[g->laid[at]];
        int fours = heap >> 16 & 15, cancels = heap >> 20 & 15, cancelled = fours < cancels ? fours : cancels;
        int worth = ((heap & 0xffff) - 64 * seats - 6 * cancelled) * (1 << (heap >> 24));
        int key = worth * 8 - lot, n = lot;
        for (; n && keys[n - 1] < key; n--) keys[n] = keys[n - 1];
        keys[n] = key;
    }
    for (int rank = 0; rank < lots; rank++) {
        int lot = -keys[rank] & 7;
        g->prices[lot] = PRICE[seats][rank];
        steps += (U)(int64_t)MODIFIER[seats][rank] * offer[lot];
    }
    for (int product = 0; product < 5; product++, steps >>= FIELD) {
        int here = g->markers[product] >> 6, there = here + (int)(steps & 127) - LEVEL;
        there = there < 1 ? 1 : there > LAST_SPACE ? LAST_SPACE : there;
        if (there != here) g->markers[product] = there << 6 | ++g->arrivals;
    }
    g->phase = BUYING, g->priced = 1, g->unsold = (uint8_t)((1 << lots) - 1), g->turns = (uint8_t)seats;
    g->clock = g->seat = g->start;
}

/* --------------------------------------------------------------------------------------------- buying, extras */

static int pass_on(Game *g) { /* to the next buyer, if there is one; else to the next round */
    if (--g->turns) {
        g->seat = (uint8_t)(g->seat + 1 == g->seats ? 0 : g->seat + 1);
        return 1;
    }
    g->start = g->clock;
    next_round(g);
    return 0;
}
static void ask_buyer(Game *g) {
    do {
        int cash = g->cash[g->seat];
        g->now = g->unsold;
        if (cash >= DEAREST) return;
        for (int lot = 0; lot <= g->seats; lot++) if (g->prices[lot] > cash) g->now &= (uint8_t)~(1 << lot);
        if (g->now) return;
        g->cash[g->seat] = cash + REFUSAL;
    } while (pass_on(g));
}
static int kinds_in(U cards) { /* as a set */
    int set = 0;
    for (int product = 0; product < 6; product++) set |= (COUNT(cards, product) != 0) << product;
    return set;
}
static void lay_extras(Game *g) {
    const int seat = g->seat;
    for (; g->extras & 3;) {
        g->extras--;
        if (!(g->now = (uint8_t)kinds_in(g->columns[seat] + g->wild[seat]))) continue;
        if (g->now & (g->now - 1)) {
            g->phase = TAKUSAN;
            return;
        }
        g->wild[seat] += CARD[NTH[g->now][0]];
    }
    for (; g->extras;) {
        g->extras -= 4, g->met[seat]++;
        if (!(g->now = (uint8_t)kinds_in(g->columns[seat]))) continue;
        if (g->now & (g->now - 1)) {
            g->phase = YAKUZA;
            return;
        }
        g->columns[seat] -= CARD[NTH[g->now][0]];
    }
    g->phase = BUYING;
    if (pass_on(g)) ask_buyer(g);
}
static void buy(Game *g, int lot) {
    const int seat = g->seat;
    if (lot == REFUSE) g->cash[seat] += REFUSAL;
    else {
        const U cards = g->offers[(g->round - 1) * (g->seats + 1) + lot];
        g->cash[seat] -= g->prices[lot];
        if (g->prices[lot] == DEAREST) g->clock = (uint8_t)seat;
        g->unsold ^= (uint8_t)(1 << lot), g->columns[seat] += cards & PRODUCTS;
        if ((g->extras = (uint8_t)(cards >> EXTRAS))) {
            lay_extras(g);
            return;
        }
    }
    if (pass_on(g)) ask_buyer(g);
}

/* ----------------------------------------------------------------------------------------------------- the end */

static void final_values(const Game *g, int *values) {
    for (int product = 0; product < 5; product++) {
        int before = 0;
        for (int other = 0; other < 5; other++) before += g->markers[other] > g->markers[product];
        values[product] = FINAL[before];
    }
}
static void give_bonuses(Game *g, const int *values) {
    int fifth = 0, popular = 0, safe = 0;
    while (values[fifth] != FINAL[4]) fifth++;
    for (int seat = 0; seat < g->seats; seat++) {
        int many = (int)COUNT(g->columns[seat] + g->wild[seat], fifth);
        if (many > popular) popular = many;
        if (g->met[seat] > safe) safe = g->met[seat];
    }
    for (int seat = 0; seat < g->seats; seat++) {
        U cards = g->columns[seat] + g->wild[seat];
        int least = 127, most = 0;
        for (int product = 0; product < 6; product++) {
            int many = (int)COUNT(cards, product);
            if (many < least) least = many;
            if (many > most) most = many;
        }
        g->scores[seat] += 10 * (least >= 3) + 10 * (most >= 8) + 5 * (popular && (int)COUNT(cards, fifth) == popular)
                         + 3 * (safe && g->met[seat] == safe);
    }
}
static void finish(Game *g) {
    int values[5];
    final_values(g, values);
    for (int seat = 0; seat < g->seats; seat++) {
        U cards = g->columns[seat] + g->wild[seat];
        int maguro = (int)COUNT(cards, 5), score = g->cash[seat] + maguro * (maguro + 5) / 2;
        for (int product = 0; product < 5; product++) score += values[product] * (int)COUNT(cards, product);
        g->scores[seat] = score;
    }
    if (g->special_points) give_bonuses(g, values);
    g->phase = OVER;
}

/* -------------------------------------------------------------------------------------------------- from outside */

void begin(Game *g, int seats, int special_points, int start, const uint8_t *markers, const uint8_t *cards) {
    memset(g, 0, sizeof *g);
    g->seats = (uint8_t)seats, g->special_points = (uint8_t)special_points, g->start = (uint8_t)start;
    for (int place = 0; place < 5; place++) g->markers[markers[place]] = (place + 1) << 6;
    for (int lot = 0; lot < ROUNDS * (seats + 1); lot++)
        g->offers[lot] = CARD[cards[3 * lot]] + CARD[cards[3 * lot + 1]] + CARD[cards[3 * lot + 2]];
    for (int seat = 0; seat < seats; seat++)
        g->cash[seat] = FIRST_MONEY + SEAT_BONUS * ((seat - start + seats) % seats), g->hands[seat] = ALL_TICKETS;
    next_round(g);
}
static inline int many(const Game *g) { /* so many options there are */
    return g->phase == LAYING ? __builtin_popcount(g->hand) : __builtin_popcount(g->now) + (g->phase == BUYING);
}
int options(const Game *g, uint8_t *found) {
    if (g->phase == OVER) return 0;
    const int set = g->phase == LAYING ? g->hand : g->now, n = many(g);
    for (int at = 0; at < n; at++) found[at] = NTH[set][at];
    if (g->phase == BUYING) found[n - 1] = REFUSE;
    return n;
}
static inline void go_on(Game *g, int index) {
    if (g->phase == LAYING) {
        const int lots = g->seats + 1, ticket = NTH[g->hand][index], seat = g->seat;
        g->laid[seat * lots + lots - g->to_lay] = (uint8_t)ticket, g->hand ^= (uint16_t)(1 << ticket);
        if (--g->to_lay) return;
        g->hands[seat] = g->hand | NORMAL;
        if (seat + 1 < g->seats) ask_hand(g, seat + 1);
        else {
            set_prices(g);
            ask_buyer(g);
        }
    } else if (g->phase == BUYING) buy(g, index == __builtin_popcount(g->now) ? REFUSE : NTH[g->now][index]);
    else {
        U card = CARD[NTH[g->now][index]];
        if (g->phase == TAKUSAN) g->wild[g->seat] += card;
        else g->columns[g->seat] -= card;
        lay_extras(g);
    }
}
void step(Game *g, int index) { go_on(g, index); }

/* ------------------------------------------------------------------------------------------------ whole games */

static inline U random_word(U *dice) { /* splitmix64 */
    U z = *dice += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull, z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
static inline int below(U *dice, int n) { return (int)((random_word(dice) >> 32) * (U)n >> 32); }
static void shuffle(U *dice, uint8_t *all, int n) {
    for (int at = n - 1; at > 0; at--) {
        int other = below(dice, at + 1);
        uint8_t one = all[at];
        all[at] = all[other], all[other] = one;
    }
}
void random_game(Game *g, int seats, U *dice) {
    uint8_t markers[5] = {0, 1, 2, 3, 4}, cards[CARDS];
    int n = 0;
    for (int kind = 0; kind < 8; kind++) for (int i = 0; i < DECK[seats][kind]; i++) cards[n++] = (uint8_t)kind;
    shuffle(dice, markers, 5), shuffle(dice, cards, n);
    begin(g, seats, 0, below(dice, seats), markers, cards);
}
long long play(int seats, int games, U seed, long long *sum) { /* decisions with a choice; and all scores together */
    long long decisions = 0;
    Game g;
    for (int game = 0; game < games; game++) {
        random_game(&g, seats, &seed);
        while (g.phase != OVER) {
            int n = many(&g);
            decisions += n > 1;
            go_on(&g, below(&seed, n));
        }
        for (int seat = 0; seat < seats; seat++) *sum += g.scores[seat];
    }
    return decisions;
}
unsigned long long size(void) { return sizeof(Game); }
