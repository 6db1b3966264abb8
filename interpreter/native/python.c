/* In and out of Python: its numbers, its lists, its functions, and what it counts. */

static I MISSES; /* so often it was left to Python */
static O MODULE, FALLBACK, UNMET_CLASS, STOP_CLASS, WORDS_CLASS, CONTEXT_CLASS, LEFT, WORDS, MORE, KEY_NAME, TOLD_NAME;
static Py_ssize_t DRY_SLOT, WORDS_SLOT, IN_C_SLOT;     /* where these stand within a context, and within what makes words */

static I num(K *k, O o) {
    int over = 0;
    if (!PyLong_Check(o)) miss(k);
    I found = PyLong_AsLongLongAndOverflow(o, &over);
    if (over || found >= LARGE || found <= -LARGE) miss(k);
    return found;
}
static O object(K *k, I value) {
    O made = PyLong_FromLongLong(value);
    if (!made) go_back(k, RAISED);
    return made;
}
static int digits_of(O packed, L *found) { /* a packed list of any length; `found` is allocated; -1: an error is set */
    O length = PyObject_CallMethod(packed, "bit_length", NULL);
    I bits = length ? PyLong_AsLongLong(length) : -1;
    Py_XDECREF(length);
    if (bits < 0 || bits > 1 << 24) return PyErr_Occurred() ? -1 : (PyErr_NoMemory(), -1);
    I n = (bits + BITS - 1) / BITS, bytes = n * BITS / 8 + 9;
    unsigned char *raw = calloc(1, bytes);
    found->n = n, found->room = 0, found->p = malloc((n + 1) * sizeof(I));
    O turned = raw && found->p ? PyObject_CallMethod(packed, "to_bytes", "ns", (Py_ssize_t)bytes, "little") : PyErr_NoMemory();
    if (turned) memcpy(raw, PyBytes_AS_STRING(turned), bytes);
    for (I i = 0; turned && i < n; i++) {
        U part = 0;
        memcpy(&part, raw + i * BITS / 8, 8);
        found->p[i] = (I)(part >> i * BITS % 8 & MASK) - 2;
    }
    free(raw);
    if (!turned) free(found->p), found->p = NULL;
    Py_XDECREF(turned);
    return turned ? 0 : -1;
}
static O number_of_list(L values) { /* a packed list as Python has it; NULL: an error is set */
    if (values.n <= ENTRIES) return PyLong_FromLongLong(packed_in_place(values));
    I bytes = values.n * BITS / 8 + 9;
    unsigned char *raw = calloc(1, bytes);
    if (!raw) return PyErr_NoMemory();
    for (I i = 0; i < values.n; i++) {
        U part;
        memcpy(&part, raw + i * BITS / 8, 8);
        part |= (U)(values.p[i] + 2) << i * BITS % 8;
        memcpy(raw + i * BITS / 8, &part, 8);
    }
    O bare = PyBytes_FromStringAndSize((const char *)raw, bytes), made = NULL;
    if (bare) made = PyObject_CallMethod((O)&PyLong_Type, "from_bytes", "Os", bare, "little");
    Py_XDECREF(bare);
    free(raw);
    return made;
}
static L unpack_object(K *k, O packed) {
    int over = 0;
    if (!PyLong_Check(packed)) miss(k);
    I plain = PyLong_AsLongLongAndOverflow(packed, &over);
    if (!over) return unpack(k, plain);
    if (over < 0) miss(k);
    L found, kept;
    if (digits_of(packed, &found)) go_back(k, RAISED);
    kept = (L){found.n, 0, found.n * (I)sizeof(I) <= MOST_BYTES - k->taken ? room(k, (found.n + 1) * (I)sizeof(I)) : NULL};
    if (kept.p) memcpy(kept.p, found.p, found.n * sizeof(I));
    free(found.p);
    if (!kept.p) miss(k);
    return kept;
}
static O packed_object(K *k, L values) {
    O made = NULL;
    for (I i = 0; i < values.n; i++) if (values.p[i] < -2 || values.p[i] + 2 > MASK) miss(k);
    if (!(made = number_of_list(values))) go_back(k, RAISED);
    return made;
}
static L list_of(K *k, O given) { /* takes the reference over */
    L made = {0, 0, NULL};
    O fast = PySequence_Fast(given, "");
    Py_DECREF(given);
    if (!fast) go_back(k, RAISED);
    for (I i = 0; i < PySequence_Fast_GET_SIZE(fast); i++) {
        int over = 0;
        I value = PyLong_AsLongLongAndOverflow(PySequence_Fast_GET_ITEM(fast, i), &over);
        if (over || PyErr_Occurred() || value >= LARGE || value <= -LARGE) {
            Py_DECREF(fast);
            miss(k);
        }
        push(k, &made, value);
    }
    Py_DECREF(fast);
    return made;
}
static O object_of(K *k, L given) {
    O made = PyList_New(given.n);
    for (I i = 0; made && i < given.n; i++) {
        O one = PyLong_FromLongLong(given.p[i]);
        if (one) PyList_SET_ITEM(made, i, one);
        else Py_CLEAR(made);
    }
    if (!made) go_back(k, RAISED);
    return made;
}
static I number_of(K *k, O given) { /* takes the reference over */
    I value = given == Py_None ? 0 : num(k, given);
    Py_DECREF(given);
    return value;
}
static O nothing_of(K *k, I none) {
    (void)k, (void)none;
    Py_INCREF(Py_None);
    return Py_None;
}
static O held(O one) {
    Py_INCREF(one);
    return one;
}
static Py_ssize_t slot_of(O type, const char *name) { /* where an attribute of a class with `__slots__` stands; -1: an error is set */
    O found = PyObject_GetAttrString(type, name);
    const int is_slot = found && Py_IS_TYPE(found, &PyMemberDescr_Type);
    Py_ssize_t slot = is_slot ? ((PyMemberDescrObject *)found)->d_member->offset : -1;
    Py_XDECREF(found);
    if (found && !is_slot) PyErr_Format(PyExc_TypeError, "%R has no slot %s", type, name);
    return slot;
}
static inline O *in_slot(O of, Py_ssize_t slot) { return (O *)((char *)of + slot); }
static O of_context(K *k, Py_ssize_t slot) { /* borrowed */
    O found = k->C && PyObject_TypeCheck(k->C, (PyTypeObject *)CONTEXT_CLASS) ? *in_slot(k->C, slot) : NULL;
    if (!found) miss(k);
    return found;
}

/* ------------------------------------------------------------------------------------- what Python counts and knows */

static COLD void tell(I left) { /* to Python: so many passes this thread may still make */
    O me = PyLong_FromUnsignedLong(PyThread_get_thread_ident()), number = PyLong_FromLongLong(left);
    if (!me || !number || PyDict_SetItem(LEFT, me, number)) PyErr_Clear();
    Py_XDECREF(me), Py_XDECREF(number);
}
static COLD I left_of(K *k) { /* how many passes this thread may still make, as Python counts them */
    if (!k->S) miss(k);
    O me = PyLong_FromUnsignedLong(PyThread_get_thread_ident()), known = me ? PyDict_GetItemWithError(LEFT, me) : NULL;
    I left = known ? PyLong_AsLongLong(known) : FUEL;
    Py_XDECREF(me);
    if (PyErr_Occurred()) go_back(k, RAISED);
    if (!k->told) k->left_before = left;
    return left;
}
static inline void spend(K *k, I fuel) { /* one more pass of a loop that could have very many */
    if (unlikely(k->left < 0)) k->left = left_of(k);
    if (unlikely((k->left -= fuel) < 0)) miss(k);
}
static inline void refuel(K *k) { k->left = k->left_before = FUEL; }

static COLD I dry_told(K *k) {
    return number_of(k, held(of_context(k, DRY_SLOT)));
}
static void before_python_writes(K *k) { /* all of it goes on the trail: what is written there is not seen here */
    if (!k->S || !k->keeps) miss(k);
    for (I i = 0; i < PLACES; i++) keep(k, i);
}
static O call(K *k, const char *name, O *given, I n) { /* lets go of what is given */
    if (unlikely(k->left >= 0)) tell(k->left), k->told = 1, k->left = -1;
    O function = PyDict_GetItemString(MODULE, name); /* borrowed */
    O found = function ? PyObject_Vectorcall(function, given, n, NULL) : NULL;
    for (I i = 0; i < n; i++) Py_DECREF(given[i]);
    if (!found) go_back(k, RAISED);
    return found;
}
