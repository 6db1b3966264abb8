"""Fixed properties: what a file says of a thing, as values of the declared kind."""

from __future__ import annotations

from ichiba.dsl.faults.fault import nearest
from ichiba.dsl.syntax import tree as t
from ichiba.dsl.syntax.parse import parse_cost
from ichiba.dsl.syntax.plurals import plural
from ichiba.dsl.world.constant import CannotWorkOut, evaluate, work_out
from ichiba.dsl.world.given import LOOK, Proto, key_span, named_values
from ichiba.dsl.world.kinds import NUMBER, Kind, maybe, set_of, unit_of
from ichiba.dsl.world.opening.things import Things
from ichiba.dsl.world.world import (
    Field,
    field_of_family,
    kind_named,
)
from ichiba.dsl.yaml.declarations import (
    unknown_key,
)
from ichiba.dsl.yaml.reading import Map, Node, Scalar, Seq


class Fields(Things):
    """Works out fields."""

    def _number_fields(self) -> None:
        """The fields that are plain numbers come first: the numbers of pieces may be worked out from them."""
        for proto in self.protos:
            for name, node in proto.fields:
                decl = self._field_decl(proto.kind, name)
                if decl is not None and self._is_amount(decl):
                    self._field(proto.kind, name, decl).values[proto.id] = work_out(
                        node, self.scope, self.faults, unit=unit_of(self._field_kind(decl.type))
                    )
        for (kind, name), decl in self.field_decls.items():
            if self._is_amount(decl) and self._is_of_things(kind) and decl.default is not None:
                field_ = self._field(kind, name, decl)
                for id in self.world.kinds[kind].things:
                    if id not in field_.values:
                        self._default(field_, decl, id)

    def _is_amount(self, decl: t.Field) -> bool:
        return decl.type.name in ("number", *self.world.units) and not decl.type.optional and decl.type.of is None

    def _is_of_things(self, kind: str) -> bool:
        """Pieces have the fields of their sorts."""
        return kind in self.world.kinds and self.world.kinds[kind].root != "piece"

    def _field(self, kind: str, name: str, decl: t.Field) -> Field:
        owner = kind
        while (owner, name) not in self.field_decls:
            owner = self.world.kinds[owner].parent
        fields = self.world.kinds[owner].fields
        if name not in fields:
            fields[name] = Field(name, self._field_kind(decl.type))
        return fields[name]

    def _field_kind(self, written: t.Type) -> Kind:
        if written.name == "set" and written.of:
            inner = kind_named(self.world, written.of)
            return set_of(inner or NUMBER)
        if written.name in ("cost", "text"):
            return Kind("cost") if written.name == "cost" else Kind("word", "text")
        if written.values:
            return Kind("enum", "_or_".join(written.values))  # made by `_enums`
        found = kind_named(self.world, written.name)
        if found is None:
            self._no_type(written)
            return NUMBER
        return maybe(found) if written.optional else found

    def _no_type(self, written: t.Type) -> None:
        known = [
            "number",
            "flag",
            "seat",
            "cost",
            "text",
            *self.world.units,
            *self.world.enums,
            *self.world.kinds,
            *self.world.categories,
        ]
        hint = nearest(written.name, known)
        self.faults.add(
            "E205", written.span, f"no type is called `{written.name}`", label=f"did you mean `{hint}`?" if hint else ""
        )

    def _all_fields(self) -> None:
        for proto in self.protos:
            self._fields_of(proto)
        self._fields_of_sorts()
        for (kind, name), decl in self.field_decls.items():
            if not self._is_of_things(kind):
                continue
            field_ = self._field(kind, name, decl)
            for id in self.world.kinds[kind].things:
                if id not in field_.values:
                    self._default(field_, decl, id)

    def _default(self, field_: Field, decl: t.Field, id: int) -> None:
        if field_.kind.form == "cost":
            self._default_cost(decl, field_.name, id)
            return
        value = self.default_value(field_.kind, decl)
        if value is not None:
            field_.values[id] = value
            return
        self.tell_missing(next(p for p in self.protos if p.id == id), field_.name)

    def _default_cost(self, decl: t.Field, name: str, id: int) -> None:
        if decl.default is not None and (id, name) not in self.world.costs:
            item = t.CostItem(decl.span, decl.default, None, None, None)
            self.world.costs[(id, name)] = t.Cost(decl.span, (t.CostWay(decl.span, (item,), None),))

    def default_value(self, kind: Kind, decl: t.Field) -> int | tuple[int, ...] | None:
        """What a field is where nothing is said: its default, no flag, an empty set; else there is no value."""
        match decl.default:
            case None:
                may_be_left_out = decl.type.optional or kind.form == "word"
                return () if kind.form == "set" else 0 if kind.form == "flag" else -1 if may_be_left_out else None
            case t.NoneWord():
                return -1
            case t.SetOf(items=items) if kind.form == "set":
                return tuple(value for item in items for value in self._default_words(kind.of or NUMBER, item))
            case t.Name(name=name) if kind.form == "flag" and name in ("true", "false", "yes", "no"):
                return int(name in ("true", "yes"))
            case t.Name() as word if kind.form in ("enum", "sort", "thing"):
                return next(iter(self._default_words(kind, word)), -1)
        try:
            return evaluate(decl.default, self.scope, unit_of(kind))
        except CannotWorkOut as fault:
            self.faults.add(fault.code, fault.span, fault.message, label=fault.label)
            return 0

    def _default_words(self, kind: Kind, item: t.Expr) -> list[int]:
        word = item.name if isinstance(item, t.Name) else ""
        found = named_values(self.world, kind, word)
        if not found and word not in self.world.known:
            hint = nearest(word, [self.world.name_of(value, kind) for value in self.world.values(kind)])
            label = f"did you mean `{hint}`?" if hint else ""
            self.faults.add("E205", item.span, f"`{item.span.text}` is not {kind}", label=label)
        return found

    def tell_missing(self, proto: Proto, name: str) -> None:
        """A field that the kind declares and a board or thing does not state: told there, once."""
        decl = self._field_decl(proto.kind, name)
        if decl is None or decl.default is not None or any(key == name for key, _ in proto.fields):
            return
        misspelt = next((key for key, _ in proto.fields if self._is_meant(proto, key, name)), None)
        alike = [other for other in self.protos if other.kind == proto.kind]
        if len(alike) > 1 and not any(key == name for other in alike for key, _ in other.fields):
            message = f"none of the {plural(proto.kind)} states `{name}`"
            label = f"each needs it, unless there is a default: `field {name}: {decl.type.name} = …`"
            self.faults.add("E102", decl.span, message, label=label, second=(alike[0].span, "the first of them"))
        elif misspelt is None:
            kind = self._field(proto.kind, name, decl).kind
            self.faults.add(
                "E102",
                proto.span,
                f"`{proto.name}` has no `{name}`",
                label=f"{kind} is needed: write `{name}: …`",
                second=(decl.span, "declared here"),
            )
        self.faults.lost.add(name)

    def _is_meant(self, proto: Proto, key: str, name: str) -> bool:
        """Whether a key that the kind does not have was to be this field: that is then told at the key."""
        known = [field for (kind, field) in self.field_decls if self.world.is_kind(proto.kind, kind)]
        return key not in known and nearest(key, known) == name

    def _fields_of(self, proto: Proto) -> None:
        kind = self.world.kinds[proto.kind]
        for name, node in proto.fields:
            decl = self._field_decl(proto.kind, name)
            if decl is None:
                if not LOOK.match(name) and kind.root != "piece":
                    known = sorted({n for (k, n) in self.field_decls if self.world.is_kind(proto.kind, k)})
                    known += proto.board.keys if proto.board is not None else ()
                    if proto.board is not None or (proto.kind, name) not in self.unknown_keys:
                        unknown_key(name, key_span(name, node), known, f"the {proto.kind} `{proto.name}`", self.faults)
                    self.unknown_keys.add((proto.kind, name))  # of many things alike, told of the first
                continue
            field_ = self._field(proto.kind, name, decl)
            if field_.kind.form == "cost":
                cost = parse_cost(node.text, self.faults) if isinstance(node, Scalar) else None
                if not isinstance(node, Scalar):
                    self.faults.add("E103", node.span, f"`{name}` is a cost", label="it is written like `1 ap` or `¥200`")
                if cost is not None:
                    self.world.costs[(proto.id, name)] = cost
            elif proto.id not in field_.values:
                field_.values[proto.id] = self.value_of(field_.kind, node)
        for name, (word, what) in proto.links.items():
            self._link(proto, name, word, what)

    def _fields_of_sorts(self) -> None:
        raise AssertionError

    def value_of(self, kind: Kind, node: Node) -> int | tuple[int, ...]:
        """The value of a field as the engine holds it."""
        if kind.form == "word":
            return self._text(node)
        if kind.form == "set" and kind.of is not None:
            values: list[int] = []
            for item in node.items if isinstance(node, Seq) else (node,):
                values.extend(self._values_named(kind.of, item))
            return tuple(dict.fromkeys(values))
        if kind.form in ("number", "flag"):
            if kind.form == "flag" and not (isinstance(node, Scalar) and isinstance(node.value, bool)):
                self.faults.add("E103", node.span, "true or false is expected here")
                return 0
            return work_out(node, self.scope, self.faults, unit=unit_of(kind))
        if kind.form == "seat":
            return work_out(node, self.scope, self.faults) - 1
        if kind.optional and isinstance(node, Scalar) and node.value in (None, "none"):
            return -1
        found = self._values_named(kind, node)
        return found[0] if found else -1

    def _text(self, node: Node) -> int:
        """A text, or one for each language."""
        texts: dict[str, str] = {}
        for lang, said in node.entries if isinstance(node, Map) else ((None, node),):
            if isinstance(said, Scalar) and (lang is None or isinstance(lang.value, str)):
                texts["en" if lang is None else str(lang.value)] = str(said.value)
            else:
                self.faults.add("E103", said.span, "a text is expected here", label="or one for each language: `{en: …, ja: …}`")
        self.world.texts.append(texts)
        return len(self.world.texts) - 1

    def _values_named(self, kind: Kind, node: Node) -> list[int]:
        word = str(node.value) if isinstance(node, Scalar) else ""
        found = named_values(self.world, kind, word)
        if not found:
            if word in self.world.known or self._declared_elsewhere(word):
                return []
            names = [self.world.name_of(v, kind) for v in self.world.values(kind)]
            hint = nearest(word, names)
            self.faults.add(
                "E205", node.span, f"`{word}` is not {kind}", label=f"did you mean `{hint}`?" if hint else ""
            )
        return found

    def _declared_elsewhere(self, word: str) -> bool:
        return word in getattr(self.box, "absent", {})

    def _link(self, proto: Proto, name: str, word: str, what: str) -> None:
        """`one_for` ties a thing to what it is for, both ways."""
        kind = kind_named(self.world, what)
        values = named_values(self.world, kind, word) if kind else []
        if kind is None or not values:
            self.faults.add("E205", proto.span, f"`{word}` is not among the {plural(what)}")
            return
        owner = self.world.kinds[proto.kind]
        owner.fields.setdefault(name, Field(name, kind)).values[proto.id] = values[0]
        back = Field(proto.kind, Kind("thing", proto.kind, optional=True))
        if kind.form == "sort":
            family = self.world.sorts[values[0]].family
            field_of_family(self.world, proto.kind, family, back.kind).values[values[0]] = proto.id
        elif kind.form == "enum":
            self.world.enums[kind.name].fields.setdefault(proto.kind, back).values[values[0]] = proto.id
        elif kind.form == "thing":
            self.world.kinds[kind.name].fields.setdefault(proto.kind, back).values[values[0]] = proto.id
