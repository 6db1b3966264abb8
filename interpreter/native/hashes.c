/* BLAKE2b (RFC 7693), from which chance comes, and SHA-512, with which Python makes dice from a text. */

static const U ROOTS[8] = {
    0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, 0x510e527fade682d1,
    0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179,
};
static const unsigned char ORDER[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};
static inline U turned(U x, int by) { return x >> by | x << (64 - by); }
#define MIX(a, b, c, d, x, y) \
    a += b + x, d = turned(d ^ a, 32), c += d, b = turned(b ^ c, 24), a += b + y, d = turned(d ^ a, 16), c += d, b = turned(b ^ c, 63)

#define MIXED(a, b, c, d, r, n) MIX(v[a], v[b], v[c], v[d], m[ORDER[r][2 * (n)]], m[ORDER[r][2 * (n) + 1]])
#define BLEND(r) do { /* one round, written out: then all orders are fixed */ \
        MIXED(0, 4, 8, 12, r, 0); MIXED(1, 5, 9, 13, r, 1); MIXED(2, 6, 10, 14, r, 2); MIXED(3, 7, 11, 15, r, 3); \
        MIXED(0, 5, 10, 15, r, 4); MIXED(1, 6, 11, 12, r, 5); MIXED(2, 7, 8, 13, r, 6); MIXED(3, 4, 9, 14, r, 7); \
    } while (0)

static void blake_block(U h[8], const U m[16], U bytes, int last) { /* `bytes`: so many there are with this block */
    U v[16];
    memcpy(v, h, 64), memcpy(v + 8, ROOTS, 64);
    v[12] ^= bytes;
    if (last) v[14] = ~v[14];
    BLEND(0); BLEND(1); BLEND(2); BLEND(3); BLEND(4); BLEND(5); BLEND(6); BLEND(7); BLEND(8); BLEND(9); BLEND(0); BLEND(1);
    for (int i = 0; i < 8; i++) h[i] ^= v[i] ^ v[i + 8];
}
static void blake_begins(U h[8], int digest, int key) {
    memcpy(h, ROOTS, 64);
    h[0] ^= 0x01010000 ^ (U)key << 8 ^ (U)digest;
}
static U bytes_from(const unsigned char *p, I n, int big) { /* up to eight bytes as a number */
    U made = 0;
    for (I i = 0; i < n; i++) made |= (U)p[i] << 8 * (big ? 7 - i : i);
    return made;
}
static void blake_whole(U h[8], const unsigned char *text, I n) { /* a digest of 32 bytes, in the first four numbers */
    blake_begins(h, 32, 0);
    for (I at = 0; !at || at < n; at += 128) {
        U m[16] = {0};
        for (I i = 0; i < 16 && at + 8 * i < n; i++) m[i] = bytes_from(text + at + 8 * i, min_(8, n - at - 8 * i), 0);
        blake_block(h, m, (U)min_(n, at + 128), at + 128 >= n);
    }
}

static const U ROUNDS_OF_SHA[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817,
};
#define SUM(x, one, two, three) (turned(x, one) ^ turned(x, two) ^ turned(x, three))
#define SHA(a, b, c, d, e, f, g, h, i) do { /* one round: instead of moving on, the eight take each other's places */ \
        h += SUM(e, 14, 18, 41) + ((e & f) ^ (~e & g)) + ROUNDS_OF_SHA[i] + w[i]; \
        d += h, h += SUM(a, 28, 34, 39) + ((a & b) ^ (a & c) ^ (b & c)); \
    } while (0)

static void sha_block(U given[8], const unsigned char *text) {
    U w[80], a = given[0], b = given[1], c = given[2], d = given[3], e = given[4], f = given[5], g = given[6], h = given[7];
    for (int i = 0; i < 16; i++) w[i] = bytes_from(text + 8 * i, 8, 1);
    for (int i = 16; i < 80; i++)
        w[i] = w[i - 16] + w[i - 7] + (turned(w[i - 15], 1) ^ turned(w[i - 15], 8) ^ w[i - 15] >> 7)
               + (turned(w[i - 2], 19) ^ turned(w[i - 2], 61) ^ w[i - 2] >> 6);
    for (int i = 0; i < 80; i += 8) {
        SHA(a, b, c, d, e, f, g, h, i); SHA(h, a, b, c, d, e, f, g, i + 1); SHA(g, h, a, b, c, d, e, f, i + 2); SHA(f, g, h, a, b, c, d, e, i + 3);
        SHA(e, f, g, h, a, b, c, d, i + 4); SHA(d, e, f, g, h, a, b, c, i + 5); SHA(c, d, e, f, g, h, a, b, i + 6); SHA(b, c, d, e, f, g, h, a, i + 7);
    }
    given[0] += a, given[1] += b, given[2] += c, given[3] += d, given[4] += e, given[5] += f, given[6] += g, given[7] += h;
}
static void sha_whole(unsigned char digest[64], const unsigned char *text, I n) {
    U h[8];
    I last = (n + 17 + 127) / 128 * 128;
    memcpy(h, ROOTS, 64);
    for (I at = 0; at < last; at += 128) {
        unsigned char block[128] = {0};
        if (at < n) memcpy(block, text + at, min_(128, n - at));
        if (at <= n && n < at + 128) block[n - at] = 0x80;
        if (at + 128 == last) for (int i = 0; i < 8; i++) block[120 + i] = (unsigned char)((U)n * 8 >> (56 - 8 * i));
        sha_block(h, block);
    }
    for (int i = 0; i < 64; i++) digest[i] = (unsigned char)(h[i / 8] >> (56 - 8 * (i % 8)));
}
