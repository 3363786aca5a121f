import pytest

from engine.core.options import BadOption, Option

NUMBER = Option(21, range(1, 102), "A number.")
WORD = Option("hand", ("hand", "card"), "A word.")
SWITCH = Option(default=False, values=(True, False), help="A switch.")


@pytest.mark.parametrize(
    ("option", "value"),
    [(NUMBER, 1), (NUMBER, 101), (WORD, "card"), (SWITCH, True), (SWITCH, False)],
)
def test_values_in_range(option, value):
    option.check("x", value)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (NUMBER, 0),
        (NUMBER, 102),
        (NUMBER, True),
        (NUMBER, 21.0),
        (NUMBER, "21"),
        (NUMBER, None),
        (WORD, "Hand"),
        (WORD, 1),
        (WORD, []),
        (SWITCH, 1),
        (SWITCH, 0),
        (SWITCH, "true"),
    ],
)
def test_values_out_of_range(option, value):
    with pytest.raises(BadOption, match=r"not-(in-range|a-value), name x"):
        option.check("x", value)


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [(NUMBER, "7", 7), (WORD, "card", "card"), (SWITCH, "true", True), (SWITCH, "false", False)],
)
def test_text_that_a_person_types(option, text, value):
    assert option.read("x", text) == value


@pytest.mark.parametrize(
    ("option", "text"),
    [
        (NUMBER, "0"),
        (NUMBER, "-1"),
        (NUMBER, "x"),
        (NUMBER, ""),
        (NUMBER, "9" * 5000),
        (NUMBER, "٣"),
        (WORD, "x"),
        (SWITCH, "True"),
        (SWITCH, "1"),
    ],
)
def test_text_that_a_person_types_wrongly(option, text):
    with pytest.raises(BadOption):
        option.read("x", text)
