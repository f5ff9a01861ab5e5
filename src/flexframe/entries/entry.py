"""Building blocks of the case format: strict entries, choices by key, and messages for what does not fit."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Annotated, Any, ClassVar, Union, get_args, get_origin

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    ModelWrapValidatorHandler,
    TypeAdapter,
    model_validator,
)
from pydantic_core import CoreSchema, ErrorDetails, InitErrorDetails, PydanticCustomError, ValidationError
from pydantic_core.core_schema import no_info_plain_validator_function

from flexframe.entries.problems import did_you_mean, show_value
from flexframe.errors import FieldPath

PROBLEM = "problem"
"""Type of the errors whose message is already in the words of a user."""


MOST_UNKNOWN = 10
"""Unknown fields of one entry that are listed; more are counted."""


def refusal(message: str) -> PydanticCustomError:
    """An error with a message of our own."""
    return PydanticCustomError(PROBLEM, "{message}", {"message": message})


class Entry(BaseModel):
    """A part of a case file: unknown fields are refused, and errors speak to the user.

    `leads` are the fields that tell this entry from the others of a choice. `elsewhere` says of names that users
    look for here where they stand. What checks an entry is built when the first one is read, since a case has few
    of all that there are.
    """

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, arbitrary_types_allowed=True, defer_build=True
    )
    leads: ClassVar[tuple[str, ...]] = ()
    elsewhere: ClassVar[Mapping[str, str]] = {}

    @model_validator(mode="wrap")
    @classmethod
    def _explain(cls, value: Any, handler: ModelWrapValidatorHandler["Entry"]) -> "Entry":
        try:
            return handler(value)
        except ValidationError as error:
            raise _explain_error(error, cls) from None


def _explain_error(error: ValidationError, entry: type[Entry]) -> ValidationError:
    """The same errors in the words of a user."""
    details = error.errors(include_url=False)
    explained = []
    unknown = sum(detail["type"] == "extra_forbidden" for detail in details)
    listed = 0  # of the unknown fields
    for detail in details:
        place = detail["loc"]
        if detail["type"] == "too_short" and any(
            len(other["loc"]) > len(place) and other["loc"][: len(place)] == place for other in details
        ):
            continue  # only because entries were refused, which is reported already
        if detail["type"] == "extra_forbidden":
            listed += 1
            if listed > MOST_UNKNOWN:
                continue
        message = detail["msg"] if detail["type"] == PROBLEM else _message(detail, entry)
        if detail["type"] == "extra_forbidden" and listed == MOST_UNKNOWN < unknown:
            message += f" (and {unknown - listed:,} more unknown fields here)"
        explained.append(InitErrorDetails(type=refusal(message), loc=place, input=detail["input"]))
    return ValidationError.from_exception_data(entry.__name__, explained)


def refusal_at(place: str | FieldPath, message: str) -> ValidationError:
    """A refusal that belongs to a field of the value, or to one further inside."""
    path = (place,) if isinstance(place, str) else place
    return ValidationError.from_exception_data(
        "choice", [InitErrorDetails(type=refusal(message), loc=path, input=None)]
    )


_MESSAGES = {
    "missing": "is missing; give it",
    "literal_error": "{given} is not a choice{near}; give one of {expected}",
    "string_type": "{given} is not a text; write it between quotes",
    "string_too_long": "the text is too long; shorten it to {max_length} characters",
    "model_type": "{given} is given where fields are expected; write 'field: value' lines",
    "dict_type": "{given} is given where names are expected; write 'name: …' lines",
    "tuple_type": "{given} is not a list; write it like [a, b]",
    "too_short": "has too few entries; give {min_length} or more",
    "too_long": "has too many entries; give at most {max_length}",
    "bool_type": "{given} is not true or false; give one of them",
    "string_pattern_mismatch": (
        "{given} cannot be a name; use letters, digits, spaces, '-' and '_', at most 60, a letter or digit first"
    ),
    "extra_forbidden": "unknown field{near}; rename or remove it",
}


def _message(detail: ErrorDetails, entry: type[Entry]) -> str:
    context: dict[str, Any] = {"given": show_value(detail["input"]), "near": "", **detail.get("ctx", {})}
    if detail["type"] == "extra_forbidden":
        name, fields = str(detail["loc"][-1]), list(entry.model_fields)
        if name in entry.elsewhere:
            return f"does not stand here; {entry.elsewhere[name]}"
        known = f", not one of {', '.join(fields)}"
        context["near"] = did_you_mean(name, fields) or known
    elif detail["type"] == "literal_error":
        choices = re.findall(r"'(.*?)'", context["expected"])
        context["near"] = did_you_mean(str(detail["input"]), choices)
    known_message = _MESSAGES.get(detail["type"])
    return known_message.format(**context) if known_message else f"{context['given']}: {detail['msg']}"


def choose_lead(given: Sequence[str], leads: Sequence[str], what: str) -> str:
    """The one lead among the given keys; an explanation when there is none or more than one."""
    found = [key for key in given if key in leads]
    if len(found) == 1:
        return found[0]
    known = ", ".join(leads)
    if found:
        raise refusal(f"{' and '.join(found)} are given together; give one {what} only")
    unknown = next((key for key in given[:MOST_UNKNOWN] if did_you_mean(key, leads)), None)
    if unknown is not None:
        raise refusal(f"'{unknown}' is not a {what}{did_you_mean(unknown, leads)}; choose one of {known}")
    raise refusal(f"no {what} is given; choose one of {known}")


def checker(kind: Any) -> TypeAdapter[Any]:
    """What checks a value of a type that is no entry; built when the first value is read."""
    plain = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if is_dataclass(plain):  # which takes no configuration
        return TypeAdapter(kind)
    return TypeAdapter(kind, config=ConfigDict(defer_build=True))


@dataclass(frozen=True, eq=False)
class _Chosen:
    """Annotation of a union: a function checks the value by the member that it chooses.

    The members are not part of the check, so that only those in use are built; the JSON schema has them all.
    """

    choose: Callable[[Any], Any]
    union: Callable[[], Any]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_plain_validator_function(self.choose)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return handler(TypeAdapter(self.union()).core_schema)


def by_choice(choose: Callable[[Any], Any], union: Callable[[], Any], handler: GetCoreSchemaHandler) -> CoreSchema:
    """What checks a union by a function that chooses the member."""
    return handler.generate_schema(Annotated[Any, _Chosen(choose, union)])


@dataclass(frozen=True)
class ByKeys:
    """Annotation of a union of entries: the keys that are given tell which one is meant.

    A single word in `words` is let through to the rest of the union.
    """

    what: str
    words: tuple[str, ...] = ()

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        members = [m for m in get_args(source) if isinstance(m, type) and issubclass(m, Entry)]
        leads = {lead: member for member in members for lead in member.leads}

        def choose(value: Any) -> Any:
            if isinstance(value, tuple(members)) or (isinstance(value, str) and value in self.words):
                return value
            if not isinstance(value, dict):
                words = "".join(f"'{word}' or " for word in self.words)
                raise refusal(f"{show_value(value)} is not a {self.what}; give {words}one of {', '.join(leads)}")
            given = [key for key in value if key in leads]
            for member in {leads[key]: None for key in given}:
                # a lead of another entry may be an ordinary field of this one
                if all(key in member.model_fields for key in given):
                    return member.model_validate(value)
            return choose_lead(list(value), list(leads), self.what)

        return by_choice(choose, lambda: source, handler)


@dataclass(frozen=True)
class ByField:
    """Annotation of a base of entries: the word in one field tells which one is meant, loaded when first used."""

    field: str
    words: tuple[str, ...]
    entry: Callable[[str], type[Entry]]

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def choose(value: Any) -> Any:
            if isinstance(value, source):
                return value
            known = ", ".join(self.words)
            if not isinstance(value, dict):
                raise refusal(
                    f"{show_value(value)} is given where fields are expected; give {self.field}: {known}"
                )
            if self.field not in value:
                raise refusal_at(self.field, f"is missing; give one of {known}")
            word = value[self.field]
            if not isinstance(word, str) or word not in self.words:
                near = did_you_mean(str(word), list(self.words))
                raise refusal_at(self.field, f"{show_value(word)} is unknown{near}; give one of {known}")
            return self.entry(word).model_validate(value)

        return by_choice(choose, lambda: Union[tuple(map(self.entry, self.words))], handler)  # noqa: UP007
