"""The main loop of a generated module, as Python text: pieces of rules are run until somebody has a choice to make.

`pc` is the number of what comes next: from `FIRST` on a piece of rules, which gives the next number; from 0 a question;
-1 the end of the game; -2 that a seat has answered everything in a secret block. `S` is the state, `C` the context.
"""

REFUEL = "    left[get_ident()] = FUEL\n"  # where steps are counted, they are counted from here on

LOOP = '''
MANY = range(STEPS)


def to_question(S, C, pc):
    """In a secret block: run pieces up to the next question that has an answer; gives its number."""
    while True:
        n = 0
        while pc >= FIRST:
            pc = PIECES[pc](S, C)
            n += 1
            if n > STEPS: raise TooLong('this rule does not come to an end', -1, f'b{pc}')
        if pc < 0: return pc
        if EXISTS[pc](S): return pc
        if OTHERWISE[pc] < 0: raise RuleFault('there is nothing to choose from', -1, f'o{pc}')
        pc = OTHERWISE[pc]


def step(S, C, code):
    """Take an answer, then run pieces up to the next question; gives its options."""
    left[get_ident()] = FUEL
    pc = ANSWERS[S[0]](S, C, code)
    if 0 <= pc < FIRST:  # most often it is the next thing
        r = OPTIONS[pc](S)
        if 1 < len(r) < MOST_OPTIONS:
            S[0] = pc
            return r
    return go_on(S, C, pc)


def run(S, C, pc):
    """From the beginning of a piece up to the next question."""
    left[get_ident()] = FUEL
    return go_on(S, C, pc)


def go_on(S, C, pc):
    """Run pieces up to the next question; gives its options. A single answer is taken, where that tells nobody anything."""
    for _ in MANY:
        if pc >= FIRST:
            pc = PIECES[pc](S, C)
        elif pc < 0:
            if pc == -2:
                pc = DONE[S[5]](S)
                continue
            S[0] = pc
            return ()
        else:
            r = OPTIONS[pc](S)
            if not r:
                if OTHERWISE[pc] < 0: raise RuleFault('there is nothing to choose from', -1, f'o{pc}')
                pc = OTHERWISE[pc]
            elif SKIPS[pc] and len(r) == 1:
                S[0] = pc
                pc = C.forced(S, pc, r[0]) if C.tracing else ANSWERS[pc](S, C, r[0])
            else:
                if len(r) > MOST_OPTIONS: too_many(r, pc)
                S[0] = pc
                return r
    raise TooLong('this rule does not come to an end', -1, f'b{pc}' if pc >= FIRST else f'o{pc}')


def dry_run(S, site, code, end):
    """Whether an answer can be carried through: tried on a copy, up to chance, another seat's question or the option's end.

    A mistake of the rules is none of the seat's: it is made when the answer is taken. Only what is too long stops the game here."""
    T = S[:]
    C = DRIES[end]
    try:
        return leads_on(T, C, ANSWERS[site](T, C, code), SEATS[site](S), 0)
    except Unmet:
        return False
    except Stop:
        return True
    except TooLong:
        raise
    except MISTAKES:
        return True


def leads_on(T, C, pc, seat, depth):
    """The dry run from `pc` on: whether some answer to each question can be carried through. `T` is a copy of the state."""
    for _ in range(1000):
        for _ in MANY:
            if pc < FIRST: break
            pc = PIECES[pc](T, C)
        else: raise TooLong('this rule does not come to an end', -1, f'b{pc}')
        if pc < 0: return True
        if pc in C.others and SEATS[pc](T) != seat: return True
        if pc not in C.deep:
            if EXISTS[pc](T): return True
        else:
            r = OPTIONS[pc](T)
            if r:
                if depth > 5: return True
                for code in r[:-1]:
                    U = T[:]
                    try:
                        if leads_on(U, C, ANSWERS[pc](U, C, code), seat, depth + 1): return True
                    except Unmet:
                        pass
                    except Stop:
                        return True
                pc = ANSWERS[pc](T, C, r[-1])  # the last hope, or the only one: no need of a copy
                continue
        pc = OTHERWISE[pc]
        if pc < 0: return False
    return True
'''
