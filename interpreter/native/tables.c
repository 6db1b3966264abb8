/* Many tables of one game side by side, each with its state, its words of chance, its options and the places of its answers.

   Nothing of Python is touched while they are stepped. What a table gives up on is put back as it was before, and told by its
   number: Python does it, and puts what it came to in its place. */

typedef struct {
    I s[PLACES];
    Pool *pool;                                        /* its own: no two tables have one */
    Chance chance;
    L options;
    I answers, room;
    unsigned short *answer;                            /* the place of each answer; there are MOST_OPTIONS at most */
    int in_python;                                     /* its chance is told by words: all of it is Python's */
} Row;
typedef struct { PyObject_HEAD I n; Row *row; } Rows;
static PyTypeObject RowsType;
typedef struct { const I *p; I n; } Numbers;

static O no_fit(const char *what) { return PyErr_Format(PyExc_ValueError, "%s do not fit these tables", what); }
static Numbers numbers_of(const Py_buffer *view) { return (Numbers){view->buf, view->len / (I)sizeof(I)}; }
static Rows *new_rows(I n) {
    Rows *made = PyObject_New(Rows, &RowsType);
    if (!made) return NULL;
    made->n = 0;
    if (!(made->row = calloc(n ? n : 1, sizeof(Row)))) return Py_DECREF(made), PyErr_NoMemory(), NULL;
    made->n = n;
    return made;
}
static void rows_dealloc(O self) {
    Rows *rows = (Rows *)self;
    for (I i = 0; i < rows->n; i++) let_go(&rows->row[i].pool), free(rows->row[i].options.p), free(rows->row[i].answer);
    free(rows->row);
    PyObject_Free(self);
}
static O rows_new(PyTypeObject *type, O given, O named) {
    I n;
    (void)type, (void)named;
    if (!PyArg_ParseTuple(given, "L", &n)) return NULL;
    return n < 0 || n > LARGEST / (I)sizeof(Row) ? no_fit("so many") : (O)new_rows(n);
}
static Row *row_of(Rows *rows, I at) {
    if (at >= 0 && at < rows->n) return rows->row + at;
    return PyErr_SetString(PyExc_IndexError, "there is no such table"), NULL;
}
static int all_there(const Rows *rows, Numbers which) {
    for (I i = 0; i < which.n; i++) if (which.p[i] < 0 || which.p[i] >= rows->n) return 0;
    return 1;
}

/* ------------------------------------------------------------------------------------------------ one table */

static int keeps_state(Row *row, const I *s, Pool *pool) { /* with a pool of its own; 0: there is no memory */
    Pool *own = pool;
    if (pool) {
        I was[PLACES];
        memcpy(was, s, sizeof was);
        pool->users++;
        tidied(was, &own);
        if (own == pool) return pool->users--, 0;
        memcpy(row->s, was, sizeof was);
    } else memcpy(row->s, s, sizeof row->s);
    let_go(&row->pool);
    row->pool = own;
    return 1;
}
static int keeps_options(Row *row, L options) {
    if (options.n > row->options.room) {
        I *p = realloc(row->options.p, options.n * sizeof(I));
        if (!p) return 0;
        row->options.p = p, row->options.room = options.n;
    }
    if (options.n > 0) memcpy(row->options.p, options.p, options.n * sizeof(I));
    row->options.n = options.n;
    return 1;
}
static int room_for_answer(Row *row) {
    if (row->answers < row->room) return 1;
    I wider = row->room ? 2 * row->room : 64;
    unsigned short *p = realloc(row->answer, wider * sizeof *p);
    if (!p) return 0;
    row->answer = p, row->room = wider;
    return 1;
}
static void at_row(K *k, Row *row) {
    fresh(k);
    k->s = row->s, k->pool = &row->pool, k->S = k->C = k->list = NULL, k->chance = &row->chance, k->keeps = 1, k->dry = 0;
}
static void leaves(K *k) {
    all_room(k);
    if (k->was != k->first_was) free(k->was);
}
enum { KEY = 33 };                                     /* bytes of a key of chance: the last says how many words stand before its first */
static void keyed(Row *row, const void *key) {
    chance_keyed(&row->chance, key);
    row->chance.shift = ((const unsigned char *)key)[KEY - 1] % 16;
}
enum { TOLD = 4 };                                     /* of each table: whose answer is wanted, to which question, how many there are; how many it was given */
static int goes_on(Rows *rows, I at, I answer, I *told) { /* with this answer; -1: from the very beginning. 0: it is Python's */
    Row *row = rows->row + at;
    K k;
    if (row->in_python || row->answers >= MOST_DECISIONS - 1 || !room_for_answer(row)) return 0;
    at_row(&k, row);
    if (_setjmp(k.back)) {
        put_back(&k, 0), leaves(&k);
        return 0;
    }
    L options = answer < 0 ? run(&k, START) : step(&k, row->options.p[answer]);
    I seat = options.n ? SEATS(&k, row->s[0]) : -1;
    if (!keeps_options(row, options)) miss(&k);        /* what may fail comes before anything is told */
    if (answer >= 0) row->answer[row->answers++] = (unsigned short)answer;
    I n = rows->n;
    told[at] = seat, told[n + at] = options.n ? row->s[0] : -1, told[2 * n + at] = options.n, told[3 * n + at] = row->answers;
    leaves(&k);
    if (unlikely(row->pool != NULL) && row->pool->n > POOL_FULL) tidied(row->s, &row->pool);
    return 1;
}

/* ----------------------------------------------------------------------------------------------- calls from Python */

static O missed(const I *left, I n) { return PyBytes_FromStringAndSize((const char *)left, n * (I)sizeof(I)); }
static O rows_reset(O self, O given) { /* (first, which, keys, told): these begin anew, each with its key of chance; those that are Python's */
    Rows *rows = (Rows *)self;
    O first, found = NULL;
    Py_buffer which, keys, told;
    if (!PyArg_ParseTuple(given, "O!y*y*w*", &StateType, &first, &which, &keys, &told)) return NULL;
    Numbers these = numbers_of(&which);
    I *left = malloc((these.n + 1) * sizeof(I)), n = 0;
    if (!left) PyErr_NoMemory();
    else if (!all_there(rows, these) || keys.len != KEY * these.n || told.len != TOLD * rows->n * (I)sizeof(I)) no_fit("numbers and keys");
    else {
        PyThreadState *python = PyEval_SaveThread();
        for (I i = 0; i < these.n; i++) {
            Row *row = rows->row + these.p[i];
            memcpy(row->s, ((State *)first)->s, sizeof row->s);
            let_go(&row->pool);
            keyed(row, (const unsigned char *)keys.buf + KEY * i);
            row->options.n = row->answers = row->in_python = 0;
            if (((State *)first)->pool || !goes_on(rows, these.p[i], -1, told.buf)) left[n++] = these.p[i];
        }
        PyEval_RestoreThread(python);
        found = missed(left, n);
    }
    free(left);
    PyBuffer_Release(&which), PyBuffer_Release(&keys), PyBuffer_Release(&told);
    return found;
}
static O rows_unfit(O self, O given) { /* (places): the first table that has no such answer; -1: all have. Those that are over are passed over */
    Rows *rows = (Rows *)self;
    Py_buffer places;
    I at = 0;
    if (!PyArg_ParseTuple(given, "y*", &places)) return NULL;
    Numbers wanted = numbers_of(&places);
    if (wanted.n == rows->n)
        while (at < rows->n && (!rows->row[at].options.n || (wanted.p[at] >= -1 && wanted.p[at] < rows->row[at].options.n))) at++;
    PyBuffer_Release(&places);
    return wanted.n != rows->n ? no_fit("answers") : PyLong_FromLongLong(at == rows->n ? -1 : at);
}
static O rows_step(O self, O given) { /* (places, low, high, told): those from `low` to `high` go on; those that are Python's. -1: stays */
    Rows *rows = (Rows *)self;
    O found = NULL;
    Py_buffer places, told;
    I low, high, n = 0;
    if (!PyArg_ParseTuple(given, "y*LLw*", &places, &low, &high, &told)) return NULL;
    Numbers wanted = numbers_of(&places);
    int sound = wanted.n == rows->n && 0 <= low && low <= high && high <= rows->n && told.len == TOLD * rows->n * (I)sizeof(I);
    I *left = sound ? malloc((high - low + 1) * sizeof(I)) : NULL;
    if (!sound) no_fit("answers");
    else if (!left) PyErr_NoMemory();
    else {
        PyThreadState *python = PyEval_SaveThread();
        for (I at = low; at < high; at++) {
            I place = wanted.p[at];
            if (place < 0 || place >= rows->row[at].options.n) continue;
            if (!goes_on(rows, at, place, told.buf)) left[n++] = at;
        }
        if (low || high < rows->n) FORGET_ANSWERS();   /* of a thread that ends */
        PyEval_RestoreThread(python);
        found = missed(left, n);
    }
    free(left);
    PyBuffer_Release(&places), PyBuffer_Release(&told);
    return found;
}
static int copied_row(Row *made, const Row *row) {
    made->chance = row->chance, made->in_python = row->in_python;
    if (!keeps_state(made, row->s, row->pool) || !keeps_options(made, row->options)) return 0;
    if (row->answers && !(made->answer = malloc(row->answers * sizeof *made->answer))) return 0;
    if (row->answers) memcpy(made->answer, row->answer, row->answers * sizeof *made->answer);
    made->answers = made->room = row->answers;
    return 1;
}
static O rows_copy(O self, O given) { /* (which): of these, in this order */
    Rows *rows = (Rows *)self, *made = NULL;
    Py_buffer which;
    if (!PyArg_ParseTuple(given, "y*", &which)) return NULL;
    Numbers these = numbers_of(&which);
    if (!all_there(rows, these)) no_fit("numbers");
    else if ((made = new_rows(these.n)))
        for (I i = 0; i < these.n; i++)
            if (!copied_row(made->row + i, rows->row + these.p[i])) {
                Py_CLEAR(made);
                PyErr_NoMemory();
                break;
            }
    PyBuffer_Release(&which);
    return (O)made;
}
static O rows_state(O self, O given) { /* (at): its numbers, as a table has them */
    I at;
    Row *row;
    State *made;
    if (!PyArg_ParseTuple(given, "L", &at) || !(row = row_of((Rows *)self, at)) || !(made = new_state())) return NULL;
    Row copy = {0};
    if (!keeps_state(&copy, row->s, row->pool)) return Py_DECREF(made), PyErr_NoMemory();
    memcpy(made->s, copy.s, sizeof made->s);
    made->pool = copy.pool;
    return (O)made;
}
static O rows_put(O self, O given) { /* (at, state, options, key, answer, in_python): what Python has made of it. An answer of -1 is none */
    I at, answer;
    O state, codes;
    const char *key;
    Py_ssize_t length;
    int in_python;
    Row *row;
    if (!PyArg_ParseTuple(given, "LO!Oz#Lp", &at, &StateType, &state, &codes, &key, &length, &answer, &in_python)) return NULL;
    if (!(row = row_of((Rows *)self, at))) return NULL;
    O fast = PySequence_Fast(codes, "options are a sequence");
    I n = fast ? PySequence_Fast_GET_SIZE(fast) : -1, *p = n < 0 ? NULL : malloc((n + 1) * sizeof(I));
    for (I i = 0; p && i < n && !PyErr_Occurred(); i++) p[i] = PyLong_AsLongLong(PySequence_Fast_GET_ITEM(fast, i));
    if (fast && !p) PyErr_NoMemory();
    if (!PyErr_Occurred() && (answer > 0xffff || (key && length != KEY))) no_fit("an answer or a key");
    if (!PyErr_Occurred()) {
        if (!room_for_answer(row) || !keeps_state(row, ((State *)state)->s, ((State *)state)->pool) || !keeps_options(row, (L){n, 0, p}))
            PyErr_NoMemory();
        else {
            if (key) keyed(row, key);
            if (answer >= 0) row->answer[row->answers++] = (unsigned short)answer;
            row->in_python = in_python;
        }
    }
    free(p);
    Py_XDECREF(fast);
    return PyErr_Occurred() ? NULL : held(Py_None);
}
static O rows_rekey(O self, O given) { /* (which, keys): from now on their chance goes another way */
    Rows *rows = (Rows *)self;
    Py_buffer which, keys;
    if (!PyArg_ParseTuple(given, "y*y*", &which, &keys)) return NULL;
    Numbers these = numbers_of(&which);
    int sound = all_there(rows, these) && keys.len == KEY * these.n;
    for (I i = 0; sound && i < these.n; i++) {
        keyed(rows->row + these.p[i], (const unsigned char *)keys.buf + KEY * i);
        rows->row[these.p[i]].in_python = 0;
    }
    PyBuffer_Release(&which), PyBuffer_Release(&keys);
    return sound ? held(Py_None) : no_fit("numbers and keys");
}
static O rows_options(O self, O given) { /* (at): the numbers of its answers */
    I at;
    Row *row;
    if (!PyArg_ParseTuple(given, "L", &at) || !(row = row_of((Rows *)self, at))) return NULL;
    O made = PyList_New(row->options.n);
    for (I i = 0; made && i < row->options.n; i++) {
        O one = PyLong_FromLongLong(row->options.p[i]);
        if (one) PyList_SET_ITEM(made, i, one);
        else Py_CLEAR(made);
    }
    return made;
}
static O rows_answers(O self, O given) { /* (at): the places of the answers it was given */
    I at;
    Row *row;
    if (!PyArg_ParseTuple(given, "L", &at) || !(row = row_of((Rows *)self, at))) return NULL;
    return PyBytes_FromStringAndSize((const char *)row->answer, row->answers * (I)sizeof *row->answer);
}
static O rows_read(O self, O given) { /* (cells, out): of each table what lies there */
    Rows *rows = (Rows *)self;
    O found = NULL;
    Py_buffer cells, out;
    if (!PyArg_ParseTuple(given, "y*w*", &cells, &out)) return NULL;
    Numbers wanted = numbers_of(&cells);
    I *made = out.buf, sound = out.len == rows->n * wanted.n * (I)sizeof(I);
    for (I i = 0; sound && i < wanted.n; i++) sound = wanted.p[i] >= 0 && wanted.p[i] < PLACES;
    if (!sound) no_fit("places");
    else {
        for (I at = 0; at < rows->n; at++) for (I i = 0; i < wanted.n; i++) *made++ = rows->row[at].s[wanted.p[i]];
        found = held(Py_None);
    }
    PyBuffer_Release(&cells), PyBuffer_Release(&out);
    return found;
}
static O rows_ranks(O self, O given) { /* (seats, out): from 0, as they stand; those that Python has to rank */
    Rows *rows = (Rows *)self;
    I seats, n = 0;
    O found = NULL;
    Py_buffer out;
    if (!PyArg_ParseTuple(given, "Lw*", &seats, &out)) return NULL;
    I *left = malloc((rows->n + 1) * sizeof(I));
    if (!left) PyErr_NoMemory();
    else if (seats < 0 || seats > MOST_SEATS || out.len != rows->n * seats * (I)sizeof(I)) no_fit("seats");
    else {
        for (I at = 0; at < rows->n; at++) {
            K k;
            at_row(&k, rows->row + at);
            if (!_setjmp(k.back)) rank(&k, seats, (I *)out.buf + at * seats);
            else left[n++] = at, put_back(&k, 0);
            leaves(&k);
        }
        found = missed(left, n);
    }
    free(left);
    PyBuffer_Release(&out);
    return found;
}

/* ------------------------------------------------------------------------------------------- what a seat may see */

enum { COVERED, BLANK, ZONE, PIECE, NOTES };           /* what a mask is made of: one of these, then its numbers */

static int masked(const I *s, I *seen, Numbers mask) { /* `sight/columns.py` says what each means; 0: it makes no sense */
    unsigned char covered[PLACES], hidden[PLACES];
    memset(covered, 0, PLACES), memset(hidden, 0, PLACES);
    memcpy(seen, s, PLACES * sizeof(I));
#define INSIDE(at, many) ((at) >= 0 && (many) >= 0 && (many) <= PLACES && (at) <= PLACES - (many))
    for (I i = 0, many; i < mask.n; i += 1 + many) {
        const I *one = mask.p + i;
        many = one[0] == BLANK || one[0] == PIECE || one[0] == NOTES ? 3 : one[0] == COVERED || one[0] == ZONE ? 4 : -1;
        if (many < 0 || i + many >= mask.n || !INSIDE(one[1], 1)) return 0;
        switch (one[0]) {
        case COVERED:                                  /* a place, how many, as it was, its flag */
            if (!INSIDE(one[1], one[2]) || !INSIDE(one[3], one[2]) || !INSIDE(one[4], 1)) return 0;
            if (s[one[4]] != 1) break;
            covered[one[1]] = 1;
            memcpy(seen + one[1], s + one[3], one[2] * sizeof(I));
            break;
        case BLANK:                                    /* a place, what stands there instead, the flag of what may be revealed */
            if (!INSIDE(one[3], 1)) return 0;
            if (!one[3] || s[one[3]] != 2) seen[one[1]] = one[2];
            break;
        case ZONE: {                                   /* a place, how many, whether their sum is seen, the flag of what may be revealed */
            I sum = 0;
            if (!INSIDE(one[1], one[2]) || !INSIDE(one[4], 1)) return 0;
            if (one[4] && s[one[4]] == 2) break;
            hidden[one[1]] = 1;
            for (I c = 0; c < one[2]; c++) sum += seen[one[1] + c], seen[one[1] + c] = 0;
            if (one[2] && one[3]) seen[one[1]] = sum;
            break;
        }
        case PIECE: {                                  /* where it stands in which zone it lies, as it was, and what means nowhere */
            if (!INSIDE(one[2], 1)) return 0;
            I in = s[one[1]];
            if (one[2] && INSIDE(in, 1) && covered[in]) seen[one[1]] = s[one[2]];
            if (INSIDE(seen[one[1]], 1) && hidden[seen[one[1]]]) seen[one[1]] = one[3];
            break;
        }
        case NOTES:                                    /* where it stands in which zone a piece lies, what it remembers, what is told of one that lies nowhere */
            if (!INSIDE(one[2], 1)) return 0;
            if (seen[one[1]] < 0) seen[one[2]] = one[3];
            break;
        }
    }
    return 1;
}
static O rows_observe(O self, O given) { /* (columns, eyes, out): of each table these columns, as the mask of that number lets them be seen */
    Rows *rows = (Rows *)self;
    O all, found = NULL, places = NULL, masks = NULL;
    Py_buffer eyes, out, columns, mask[MOST_SEATS + 1];
    I open = 0;
    if (!PyArg_ParseTuple(given, "Oy*w*", &all, &eyes, &out)) return NULL;
    if (!(places = PyObject_GetAttrString(all, "places")) || !(masks = PyObject_GetAttrString(all, "masks"))) goto closed;
    if (!PyTuple_Check(masks) || PyTuple_GET_SIZE(masks) > MOST_SEATS + 1) {
        no_fit("masks");
        goto closed;
    }
    if (PyObject_GetBuffer(places, &columns, PyBUF_SIMPLE)) goto closed;
    Numbers eye = numbers_of(&eyes), column = numbers_of(&columns);
    I many = PyTuple_GET_SIZE(masks), *made = out.buf;
    while (open < many && !PyObject_GetBuffer(PyTuple_GET_ITEM(masks, open), mask + open, PyBUF_SIMPLE)) open++;
    int sound = open == many && eye.n == rows->n && out.len == rows->n * column.n * (I)sizeof(I);
    for (I i = 0; sound && i < eye.n; i++) sound = eye.p[i] >= 0 && eye.p[i] < many;
    for (I i = 0; sound && i < column.n; i++) sound = column.p[i] >= 0 && column.p[i] < PLACES;
    if (sound) {
        PyThreadState *python = PyEval_SaveThread();
        for (I at = 0; sound && at < rows->n; at++) {
            I seen[PLACES];
            sound = masked(rows->row[at].s, seen, numbers_of(mask + eye.p[at]));
            for (I i = 0; i < column.n; i++) *made++ = seen[column.p[i]];
        }
        PyEval_RestoreThread(python);
    }
    if (sound) found = held(Py_None);
    else if (!PyErr_Occurred()) no_fit("masks and columns");
    while (open--) PyBuffer_Release(mask + open);
    PyBuffer_Release(&columns);
closed:
    Py_XDECREF(places), Py_XDECREF(masks);
    PyBuffer_Release(&eyes), PyBuffer_Release(&out);
    return found;
}
static Py_ssize_t rows_len(O self) { return ((Rows *)self)->n; }
static PyMethodDef ROWS_METHODS[] = {
    {"reset", rows_reset, METH_VARARGS, NULL},     {"unfit", rows_unfit, METH_VARARGS, NULL},
    {"step", rows_step, METH_VARARGS, NULL},       {"copy", rows_copy, METH_VARARGS, NULL},
    {"state", rows_state, METH_VARARGS, NULL},     {"put", rows_put, METH_VARARGS, NULL},
    {"options", rows_options, METH_VARARGS, NULL}, {"answers", rows_answers, METH_VARARGS, NULL},
    {"read", rows_read, METH_VARARGS, NULL},       {"ranks", rows_ranks, METH_VARARGS, NULL},
    {"observe", rows_observe, METH_VARARGS, NULL}, {"rekey", rows_rekey, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PySequenceMethods ROWS_SEQUENCE = {.sq_length = rows_len};
static PyTypeObject RowsType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ichiba.Rows",
    .tp_doc = "Many tables of one game, side by side.",
    .tp_basicsize = sizeof(Rows),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = rows_new,
    .tp_dealloc = rows_dealloc,
    .tp_as_sequence = &ROWS_SEQUENCE,
    .tp_methods = ROWS_METHODS,
};
