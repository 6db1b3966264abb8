/* The state as Python sees it: a buffer of numbers that behaves as the list which Python alone would have. */

typedef struct { PyObject_HEAD Pool *pool; I s[PLACES]; } State;
static PyTypeObject StateType;

static State *new_state(void) {
    State *made = PyObject_New(State, &StateType);
    if (made) made->pool = NULL;
    return made;
}
static void state_dealloc(O self) {
    let_go(&((State *)self)->pool);
    PyObject_Free(self);
}
static State *copied(State *self) {
    State *made = new_state();
    if (!made) return NULL;
    memcpy(made->s, self->s, sizeof self->s);
    if ((made->pool = self->pool)) made->pool->users++;
    return made;
}
static O state_number(State *self, I at) { /* what lies at a place that is there */
    I value = self->s[at];
    if (value > HANDLES) return PyLong_FromLongLong(value);
    return number_of_list(self->pool->p[HANDLES - value]);
}
static int state_put(State *self, I at, O value) {
    int over = 0;
    if (!PyLong_Check(value)) return PyErr_SetString(PyExc_TypeError, "a place of a state holds a whole number"), -1;
    I plain = PyLong_AsLongLongAndOverflow(value, &over);
    if (over < 0) return PyErr_SetString(PyExc_OverflowError, "a number too far from nothing"), -1;
    if (!over && plain <= NEAR && plain >= -NEAR) return self->s[at] = plain, 0;
    if (!may_hold_list(at) || (!over && plain < 0)) return PyErr_SetString(PyExc_OverflowError, "a number too far from nothing"), -1;
    if (!over && plain < INLINE) return self->s[at] = plain, 0;
    L digits;
    if (digits_of(value, &digits)) return -1;
    I handle = pooled(&self->pool, digits);
    free(digits.p);
    if (!handle) return PyErr_NoMemory(), -1;
    self->s[at] = handle;
    if (self->pool->n > POOL_FULL) tidied(self->s, &self->pool);
    return 0;
}
static int state_takes(State *self, O values, Py_ssize_t low, Py_ssize_t step, Py_ssize_t n) {
    O fast = PySequence_Fast(values, "a state takes numbers");
    if (!fast) return -1;
    int failed = PySequence_Fast_GET_SIZE(fast) != n;
    if (failed) PyErr_Format(PyExc_ValueError, "%zd numbers for %zd places", PySequence_Fast_GET_SIZE(fast), n);
    for (Py_ssize_t i = 0; !failed && i < n; i++) failed = state_put(self, low + i * step, PySequence_Fast_GET_ITEM(fast, i));
    Py_DECREF(fast);
    return failed ? -1 : 0;
}
static Py_ssize_t state_len(O self) { return (void)self, PLACES; }
static int there(Py_ssize_t *at) {
    if (*at < 0) *at += PLACES;
    if (*at >= 0 && *at < PLACES) return 1;
    PyErr_SetString(PyExc_IndexError, "a state has no such place");
    return 0;
}
static O state_item(O self, Py_ssize_t at) { return there(&at) ? state_number((State *)self, at) : NULL; }
static O state_subscript(O self, O key) {
    Py_ssize_t low, high, step;
    if (!PySlice_Check(key)) {
        Py_ssize_t at = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if (at == -1 && PyErr_Occurred()) return NULL;
        return state_item(self, at);
    }
    if (PySlice_Unpack(key, &low, &high, &step)) return NULL;
    Py_ssize_t n = PySlice_AdjustIndices(PLACES, &low, &high, step);
    if (n == PLACES && step == 1) return (O)copied((State *)self);
    O made = PyList_New(n);
    for (Py_ssize_t i = 0; made && i < n; i++) {
        O one = state_number((State *)self, low + i * step);
        if (one) PyList_SET_ITEM(made, i, one);
        else Py_CLEAR(made);
    }
    return made;
}
static int state_assign(O self, O key, O value) {
    Py_ssize_t low, high, step;
    if (!value) return PyErr_SetString(PyExc_TypeError, "a state keeps all its places"), -1;
    if (!PySlice_Check(key)) {
        Py_ssize_t at = PyNumber_AsSsize_t(key, PyExc_IndexError);
        if ((at == -1 && PyErr_Occurred()) || !there(&at)) return -1;
        return state_put((State *)self, at, value);
    }
    if (PySlice_Unpack(key, &low, &high, &step)) return -1;
    return state_takes((State *)self, value, low, step, PySlice_AdjustIndices(PLACES, &low, &high, step));
}
static O state_list(O self, O none) {
    (void)none;
    O made = PyList_New(PLACES);
    for (I i = 0; made && i < PLACES; i++) {
        O one = state_number((State *)self, i);
        if (one) PyList_SET_ITEM(made, i, one);
        else Py_CLEAR(made);
    }
    return made;
}
static int alike_states(State *one, State *other) { /* -1: an error is set */
    if (one->pool == other->pool || (!one->pool && !other->pool)) return !memcmp(one->s, other->s, sizeof one->s);
    for (I i = 0; i < PLACES; i++) {
        I a = one->s[i], b = other->s[i];
        if (a <= HANDLES && b <= HANDLES ? !same(one->pool->p[HANDLES - a], other->pool->p[HANDLES - b]) : a != b) return 0;
    }
    return 1;
}
static O state_compare(O self, O other, int how) {
    if (how != Py_EQ && how != Py_NE) Py_RETURN_NOTIMPLEMENTED;
    int equal;
    if (Py_IS_TYPE(other, &StateType)) equal = alike_states((State *)self, (State *)other);
    else if (!PyList_Check(other)) Py_RETURN_NOTIMPLEMENTED;
    else {
        O list = state_list(self, NULL);
        if (!list) return NULL;
        equal = PyObject_RichCompareBool(list, other, Py_EQ);
        Py_DECREF(list);
        if (equal < 0) return NULL;
    }
    return PyBool_FromLong(equal == (how == Py_EQ));
}
static O as_in_a_list(O self, const char *name, O given) {
    O list = state_list(self, NULL), method = list ? PyObject_GetAttrString(list, name) : NULL;
    O made = method ? PyObject_CallObject(method, given) : NULL;
    Py_XDECREF(list), Py_XDECREF(method);
    return made;
}
static O state_index(O self, O given) { /* `index(number, low, high)`; of a packed list too long for its place Python's own */
    I wanted;
    Py_ssize_t low = 0, high = PLACES;
    if (!PyArg_ParseTuple(given, "L|nn", &wanted, &low, &high)) {
        PyErr_Clear();
        return as_in_a_list(self, "index", given);
    }
    if (low < 0 && (low += PLACES) < 0) low = 0;
    if (high < 0 && (high += PLACES) < 0) high = 0;
    for (Py_ssize_t i = low; i < high && i < PLACES; i++)
        if (((State *)self)->s[i] == wanted && wanted > HANDLES) return PyLong_FromSsize_t(i);
    return PyErr_Format(PyExc_ValueError, "%lld is not in the state", wanted);
}
static O state_count(O self, O given) { return as_in_a_list(self, "count", given); }
static O state_copy(O self, O none) { return (void)none, (O)copied((State *)self); }
static O state_deepcopy(O self, O memo) { return (void)memo, (O)copied((State *)self); }
static O state_reduce(O self, O none) { /* elsewhere it is a list again */
    (void)none;
    O list = state_list(self, NULL);
    return list ? Py_BuildValue("O(N)", &PyList_Type, list) : NULL;
}
static O state_repr(O self) {
    O list = state_list(self, NULL), said = list ? PyObject_Repr(list) : NULL;
    Py_XDECREF(list);
    return said;
}
static O state_new(PyTypeObject *type, O given, O named) {
    O values;
    (void)type, (void)named;
    if (!PyArg_ParseTuple(given, "O", &values)) return NULL;
    if (Py_IS_TYPE(values, &StateType)) return (O)copied((State *)values);
    State *made = new_state();
    if (!made) return NULL;
    memset(made->s, 0, sizeof made->s);
    if (state_takes(made, values, 0, 1, PLACES)) Py_CLEAR(made);
    return (O)made;
}
static int state_buffer(O self, Py_buffer *view, int flags) { /* the numbers as they lie: packed lists beyond three as handles */
    static Py_ssize_t many = PLACES, wide = sizeof(I);
    if (flags & PyBUF_WRITABLE && (flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a state is written place by place");
        return -1;
    }
    *view = (Py_buffer){.buf = ((State *)self)->s, .obj = held(self), .len = PLACES * sizeof(I), .itemsize = sizeof(I),
                        .readonly = 1, .ndim = 1, .format = flags & PyBUF_FORMAT ? "q" : NULL,
                        .shape = flags & PyBUF_ND ? &many : NULL, .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &wide : NULL};
    return 0;
}
static O state_iter(O self) {
    O list = state_list(self, NULL), made = list ? PyObject_GetIter(list) : NULL;
    Py_XDECREF(list);
    return made;
}
static PyMethodDef STATE_METHODS[] = {
    {"copy", state_copy, METH_NOARGS, NULL},         {"index", state_index, METH_VARARGS, NULL},
    {"count", state_count, METH_VARARGS, NULL},      {"tolist", state_list, METH_NOARGS, NULL},
    {"__reduce__", state_reduce, METH_NOARGS, NULL}, {"__copy__", state_copy, METH_NOARGS, NULL},
    {"__deepcopy__", state_deepcopy, METH_O, NULL},  {NULL, NULL, 0, NULL},
};
static PySequenceMethods STATE_SEQUENCE = {.sq_length = state_len, .sq_item = state_item};
static PyMappingMethods STATE_MAPPING = {state_len, state_subscript, state_assign};
static PyBufferProcs STATE_BUFFER = {state_buffer, NULL};
static PyTypeObject StateType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ichiba.State",
    .tp_doc = "The numbers of a table that is played in machine code; it behaves as a list.",
    .tp_basicsize = sizeof(State),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_SEQUENCE,
    .tp_new = state_new,
    .tp_dealloc = state_dealloc,
    .tp_repr = state_repr,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_richcompare = state_compare,
    .tp_iter = state_iter,
    .tp_methods = STATE_METHODS,
    .tp_as_sequence = &STATE_SEQUENCE,
    .tp_as_mapping = &STATE_MAPPING,
    .tp_as_buffer = &STATE_BUFFER,
};

/* ------------------------------------------------------------------------------------------- options as Python sees them */

typedef struct { PyObject_VAR_HEAD I code[]; } Codes; /* numbers that never change; each is an object only once it is looked at */
static PyTypeObject CodesType;

static O codes_of(K *k, L given) {
    Codes *made = PyObject_NewVar(Codes, &CodesType, given.n > 0 ? given.n : 0);
    if (!made) go_back(k, RAISED);
    if (given.n > 0) memcpy(made->code, given.p, given.n * sizeof(I));
    return (O)made;
}
static void codes_dealloc(O self) { PyObject_Free(self); }
static Py_ssize_t codes_len(O self) { return Py_SIZE(self); }
static O codes_item(O self, Py_ssize_t at) {
    if (at >= 0 && at < Py_SIZE(self)) return PyLong_FromLongLong(((Codes *)self)->code[at]);
    return PyErr_SetString(PyExc_IndexError, "there is no such option"), NULL;
}
static O codes_list(O self, O none) {
    (void)none;
    O made = PyList_New(Py_SIZE(self));
    for (Py_ssize_t i = 0; made && i < Py_SIZE(self); i++) {
        O one = codes_item(self, i);
        if (one) PyList_SET_ITEM(made, i, one);
        else Py_CLEAR(made);
    }
    return made;
}
static O codes_subscript(O self, O key) {
    if (PySlice_Check(key)) {
        O list = codes_list(self, NULL), made = list ? PyObject_GetItem(list, key) : NULL;
        Py_XDECREF(list);
        return made;
    }
    Py_ssize_t at = PyNumber_AsSsize_t(key, PyExc_IndexError);
    return at == -1 && PyErr_Occurred() ? NULL : codes_item(self, at < 0 ? at + Py_SIZE(self) : at);
}
static O codes_compare(O self, O other, int how) {
    O mine = codes_list(self, NULL), theirs = Py_IS_TYPE(other, &CodesType) ? codes_list(other, NULL) : held(other);
    O made = mine && theirs ? PyObject_RichCompare(mine, theirs, how) : NULL;
    Py_XDECREF(mine), Py_XDECREF(theirs);
    return made;
}
static O codes_repr(O self) {
    O list = codes_list(self, NULL), said = list ? PyObject_Repr(list) : NULL;
    Py_XDECREF(list);
    return said;
}
static O codes_iter(O self) {
    O list = codes_list(self, NULL), made = list ? PyObject_GetIter(list) : NULL;
    Py_XDECREF(list);
    return made;
}
static O codes_same(O self, O none) { return (void)none, held(self); } /* a copy of what never changes */
static O codes_reduce(O self, O none) { /* elsewhere it is a list */
    O list = codes_list(self, none);
    return list ? Py_BuildValue("O(N)", &PyList_Type, list) : NULL;
}
static PyMethodDef CODES_METHODS[] = {
    {"__copy__", codes_same, METH_NOARGS, NULL},
    {"__deepcopy__", codes_same, METH_O, NULL},
    {"__reduce__", codes_reduce, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};
static PySequenceMethods CODES_SEQUENCE = {.sq_length = codes_len, .sq_item = codes_item};
static PyMappingMethods CODES_MAPPING = {codes_len, codes_subscript, NULL};
static PyTypeObject CodesType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "ichiba.Codes",
    .tp_doc = "The options of a question, as numbers; they behave as a list that never changes.",
    .tp_basicsize = sizeof(Codes),
    .tp_itemsize = sizeof(I),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_SEQUENCE,
    .tp_dealloc = codes_dealloc,
    .tp_repr = codes_repr,
    .tp_hash = PyObject_HashNotImplemented,
    .tp_richcompare = codes_compare,
    .tp_iter = codes_iter,
    .tp_methods = CODES_METHODS,
    .tp_as_sequence = &CODES_SEQUENCE,
    .tp_as_mapping = &CODES_MAPPING,
};

/* --------------------------------------------------------------------------------------------- calls from Python */

static inline void fresh(K *k) { /* nothing on the trail, all the room there is */
    k->free = k->first_bytes, k->end = k->first_bytes + FIRST_BYTES;
    k->chunks = NULL, k->taken = 0;
    k->was = k->first_was, k->trail = 0, k->trail_room = FIRST_TRAIL;
    k->left = k->left_before = -1, k->told = 0;
    k->words = k->maker = NULL, k->chance = NULL, k->notes = NULL, k->depth = 0;
}
static COLD State *from_list(O S) { /* Python's own list: taken over, and written back afterwards */
    State *made = PyList_CheckExact(S) && PyList_GET_SIZE(S) == PLACES ? new_state() : NULL;
    if (made && state_takes(made, S, 0, 1, PLACES)) Py_CLEAR(made);
    PyErr_Clear();
    return made;
}
static inline int opened(K *k, O S, O C) {
    k->list = NULL;
    if (unlikely(!Py_IS_TYPE(S, &StateType))) {
        k->list = S;
        if (!(S = (O)from_list(S))) return 0;
    }
    k->S = S, k->C = C, k->s = ((State *)S)->s, k->pool = &((State *)S)->pool;
    k->keeps = 1, k->dry = C ? -1 : 0;
    fresh(k);
    return 1;
}
static COLD void into_list(K *k) { /* what was written; the list is Python's again */
    State *state = (State *)k->S;
    O list = k->list;
    for (I i = 0; i < k->trail; i++) {
        O made = state_number(state, k->was[i].at);
        if (made && k->was[i].at < PyList_GET_SIZE(list)) PyList_SetItem(list, k->was[i].at, made);
        else Py_XDECREF(made), PyErr_Clear();
    }
}
static inline void closed(K *k) {
    if (unlikely(k->left != k->left_before) && k->left >= 0) tell(k->left);
    if (unlikely(*k->pool != NULL) && (*k->pool)->n > POOL_FULL) tidied(k->s, k->pool);
    if (unlikely(k->list != NULL)) {
        into_list(k);
        Py_DECREF(k->S);
    }
    if (unlikely(k->was != k->first_was)) free(k->was);
    if (unlikely(k->chunks != NULL)) all_room(k);
    Py_XDECREF(k->maker);
}
static COLD O fall_back(const char *name, O const *given, Py_ssize_t n) {
    O function = PyDict_GetItemString(FALLBACK, name);
    MISSES++;
    if (!function) return PyErr_Format(PyExc_SystemError, "there is no %s", name);
    return PyObject_Vectorcall(function, given, n, NULL);
}
static COLD O left(K *k, const char *name, O const *given, Py_ssize_t n) { /* after a way back was taken */
    O number;
    switch (k->why) {
    case UNMET:
        if ((number = PyLong_FromLongLong(k->unmet))) {
            O made = PyObject_CallOneArg(UNMET_CLASS, number);
            Py_DECREF(number);
            if (made) PyErr_SetObject(UNMET_CLASS, made), Py_DECREF(made);
        }
        break;
    case STOPPED:
        PyErr_SetNone(STOP_CLASS);
        break;
    case RAISED:
        if (PyErr_ExceptionMatches(UNMET_CLASS) || PyErr_ExceptionMatches(STOP_CLASS)
            || !PyErr_ExceptionMatches(PyExc_Exception))
            break; /* what was meant to go up goes up */
        /* fall through */
    default:
        PyErr_Clear();
        put_back(k, 0);
        if (k->told) tell(k->left_before);
        k->left = k->left_before; /* what is done again is counted again */
        closed(k);
        return fall_back(name, given, n);
    }
    O kind, fault, trace;
    PyErr_Fetch(&kind, &fault, &trace);
    closed(k);
    PyErr_Restore(kind, fault, trace);
    return NULL;
}
static int set_up(O names) { /* names: the generated module, its Python functions, classes, the fuel */
    if (!PyArg_ParseTuple(names, "OOOOOOO", &MODULE, &FALLBACK, &UNMET_CLASS, &STOP_CLASS, &WORDS_CLASS, &CONTEXT_CLASS, &LEFT)) return -1;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) Py_INCREF(PyTuple_GET_ITEM(names, i));
    DRY_SLOT = slot_of(CONTEXT_CLASS, "dry"), WORDS_SLOT = slot_of(CONTEXT_CLASS, "words"), IN_C_SLOT = slot_of(WORDS_CLASS, "in_c");
    if (DRY_SLOT < 0 || WORDS_SLOT < 0 || IN_C_SLOT < 0) return -1;
    WORDS = PyUnicode_InternFromString("words"), MORE = PyUnicode_InternFromString("more");
    KEY_NAME = PyUnicode_InternFromString("key"), TOLD_NAME = PyUnicode_InternFromString("told");
    first_words();
    return WORDS && MORE && KEY_NAME && TOLD_NAME && !PyType_Ready(&CodesType) && !PyType_Ready(&MakerType) ? PyType_Ready(&StateType) : -1;
}
