/* One table stepped from Python: `legal` and `step` for the class of its tables, with no function of Python's in between.

   They do what `run/table.py` says they do, on the very attributes of the table, which is Python's. Whatever is not plain sailing
   is put back and left to the `step` written there. */

enum { CODES, STATE, CONTEXT, HISTORY, STEP, ATTRIBUTES };
static const char *const ATTRIBUTE[ATTRIBUTES] = {"codes", "state", "context", "history", "_step"};
static Py_ssize_t OFFSET[ATTRIBUTES];                  /* where these stand within a table */
static O OWN_STEP, STEP_IN_PYTHON, NOBODYS;            /* of the module; of the class; the seat of an answer that is the lowest seat's */
enum { SMALL = 1024 };
static O SMALL_ANSWER[SMALL];                          /* how a small number stands in a history: most do, so all tables share these */

static inline O *attribute(O table, int which) { return in_slot(table, OFFSET[which]); }
static O table_legal(O self, O none) {
    O codes = *attribute(self, CODES);
    (void)none;
    return codes ? held(codes) : (PyErr_SetString(PyExc_AttributeError, "codes"), NULL);
}
static COLD O step_in_python(O self, O index) { return PyObject_CallFunctionObjArgs(STEP_IN_PYTHON, self, index, NULL); }
static O answer_with(I code) { /* NULL: an error is set */
    O number = PyLong_FromLongLong(code), answer = number ? PyTuple_Pack(2, NOBODYS, number) : NULL;
    Py_XDECREF(number);
    if (answer) PyObject_GC_UnTrack(answer); /* two numbers: there is nothing in it to look through */
    return answer;
}
static int written_into(O history, I code) { /* -1: an error is set */
    O *small = (U)code < SMALL ? SMALL_ANSWER + code : NULL, answer = small && *small ? held(*small) : answer_with(code);
    if (small && !*small && answer) *small = held(answer);
    int failed = answer ? PyList_Append(history, answer) : -1;
    Py_XDECREF(answer);
    return failed;
}
static COLD O taken_back(K *k, O self, O index, O history) { /* as it was before; then Python does it all, if nothing else is the matter */
    const Py_ssize_t n = PyList_GET_SIZE(history);
    O kind, fault, trace;
    PyErr_Fetch(&kind, &fault, &trace);
    put_back(k, 0);
    if (k->told) tell(k->left_before);
    k->left = k->left_before;
    closed(k);
    if (n) PyList_SetSlice(history, n - 1, n, NULL);
    if (kind && !PyErr_GivenExceptionMatches(kind, PyExc_Exception)) return PyErr_Restore(kind, fault, trace), NULL; /* Ctrl-C */
    Py_XDECREF(kind), Py_XDECREF(fault), Py_XDECREF(trace);
    return step_in_python(self, index);
}
static O table_step(O self, O index) {
    O codes = *attribute(self, CODES), state = *attribute(self, STATE), context = *attribute(self, CONTEXT);
    O history = *attribute(self, HISTORY), step_now = *attribute(self, STEP);
    K k;
    if (!codes || !state || !context || !history || step_now != OWN_STEP || !Py_IS_TYPE(codes, &CodesType) || !Py_IS_TYPE(state, &StateType)
        || !PyList_CheckExact(history) || PyList_GET_SIZE(history) + 1 >= MOST_DECISIONS || !PyLong_CheckExact(index))
        return step_in_python(self, index);
    Py_ssize_t at = PyLong_AsSsize_t(index);
    if (at < 0 || at >= Py_SIZE(codes)) return PyErr_Clear(), step_in_python(self, index);
    I code = ((Codes *)codes)->code[at];
    if (written_into(history, code)) return NULL;
    (void)opened(&k, state, context);
    if (_setjmp(k.back)) return taken_back(&k, self, index, history);
    *attribute(self, CODES) = codes_of(&k, step(&k, code));
    closed(&k);
    Py_DECREF(codes);
    Py_RETURN_NONE;
}
static PyMethodDef TABLE_METHODS[] = {
    {"legal", table_legal, METH_NOARGS, "The options of the lowest pending seat, as numbers; empty when the game is over."},
    {"step", table_step, METH_O, "Answer with the option of that place."},
};
static O tables_of(O self, O given) { /* (class, the module's `step`): its tables are stepped here from now on */
    PyTypeObject *type;
    O own;
    (void)self;
    if (!PyArg_ParseTuple(given, "O!O", &PyType_Type, &type, &own)) return NULL;
    for (int which = 0; which < ATTRIBUTES; which++)
        if ((OFFSET[which] = slot_of((O)type, ATTRIBUTE[which])) < 0) return NULL;
    if (!(STEP_IN_PYTHON = PyObject_GetAttrString((O)type, "step")) || !(NOBODYS = PyLong_FromLong(-1))) return NULL;
    OWN_STEP = held(own);
    for (int which = 0; which < 2; which++) {
        O method = PyDescr_NewMethod(type, TABLE_METHODS + which);
        int failed = !method || PyObject_SetAttrString((O)type, TABLE_METHODS[which].ml_name, method);
        Py_XDECREF(method);
        if (failed) return NULL;
    }
    Py_RETURN_NONE;
}
