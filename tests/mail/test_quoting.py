"""What a writer wrote and what is quoted, in the ways and languages of mail programs."""

from __future__ import annotations

import pytest

from referee.mail.quoting import MAX_LINES, above, fresh, is_signature, opening, parted

OWN = "load green\nroll"
ADDRESS = "Referee <referee@example.net>"
HEADERS = [
    f"On Mon, Nov 30, 2026 at 10:00 AM {ADDRESS} wrote:",
    f"On 30 Nov 2026, at 10:00, {ADDRESS} wrote:",
    "On 30/11/2026 10:00, Referee wrote:",
    f"Am Mo., 30. Nov. 2026 um 10:00 Uhr schrieb {ADDRESS}:",
    "Am 30.11.26 um 10:00 schrieb Referee:",
    f"Am 30. November 2026 10:00:00 MEZ schrieb {ADDRESS}:",
    f"Le lun. 30 nov. 2026 \u00e0 10:00, {ADDRESS} a \u00e9crit\u00a0:",
    f"pon., 30 lis 2026 o 10:00 {ADDRESS} napisa\u0142(a):",
    "W dniu 2026-11-30 10:00, Referee napisa\u0142(a):",
    f"El lun, 30 nov 2026 a las 10:00, {ADDRESS} escribi\u00f3:",
    f"Il giorno lun 30 nov 2026 alle ore 10:00 {ADDRESS} ha scritto:",
    f"Op ma 30 nov 2026 om 10:00 schreef {ADDRESS}:",
    f"Den m\u00e5n 30 nov. 2026 kl 10:00 skrev {ADDRESS}:",
    f"Em seg., 30 de nov. de 2026 \u00e0s 10:00, {ADDRESS} escreveu:",
    f"ma 30. marrask. 2026 klo 10.00 {ADDRESS} kirjoitti:",
    f"2026\u5e7411\u670830\u65e5(\u6708) 10:00 {ADDRESS}:",
    f"2026/11/30 10:00\u3001{ADDRESS}\u306e\u30e1\u30fc\u30eb:",
    f"{ADDRESS} \u4e8e2026\u5e7411\u670830\u65e5\u5468\u4e00 10:00\u5199\u9053\uff1a",
]
DIVIDERS = [
    "-----Original Message-----", "-----Urspr\u00fcngliche Nachricht-----", "-------- Weitergeleitete Nachricht --------",
    "---------- Forwarded message ---------", "Begin forwarded message:", "Anfang der weitergeleiteten Nachricht:",
    "-----Message d\u2019origine-----", "---------- Message transmis ---------", "-----Oryginalna wiadomo\u015b\u0107-----",
    "---------- Wiadomo\u015b\u0107 przekazana dalej ---------", "-----Mensaje original-----", "-----Messaggio originale-----",
    "-----Oorspronkelijk bericht-----", "-----Ursprungligt meddelande-----",
    "-----\u5143\u306e\u30e1\u30c3\u30bb\u30fc\u30b8-----",
]  # fmt: skip
HEADS = [
    ("From: Referee", "Sent: Monday", "To: Alice", "Subject: x"),
    ("*Von:* Referee", "*Gesendet:* Montag", "*An:* Alice", "*Betreff:* x"),
    ("De\u00a0: Referee", "Envoy\u00e9\u00a0: lundi", "\u00c0\u00a0: Alice", "Objet\u00a0: x"),
    ("Od: Referee", "Wys\u0142ane: poniedzia\u0142ek", "Do: Alice", "Temat: x"),
    ("\u5dee\u51fa\u4eba: Referee", "\u9001\u4fe1\u65e5\u6642: x", "\u5b9b\u5148: Alice", "\u4ef6\u540d: x"),
    ("Kimden: referee@example.net", "G\u00f6nderildi: 30 Kas\u0131m 2026", "Kime: Alice", "Konu: x"),
]


@pytest.mark.parametrize("between", ["\n", "\n\n"])
@pytest.mark.parametrize("header", HEADERS)
def test_a_line_that_announces_a_quotation(header: str, between: str) -> None:
    marked = f"{OWN}{between}{header}\n\n> jettison\n> ore\n\nBye"
    assert opening(marked) == (("load green", "roll"), "")
    assert fresh(marked).split() == [*OWN.split(), "Bye"]
    assert fresh(f"{OWN}{between}{header}\n\njettison ore\n\nBye").split() == OWN.split()


@pytest.mark.parametrize("header", HEADERS[:13])
def test_such_a_line_wrapped(header: str) -> None:
    words = header.split(" ")
    for at in (at for at in range(len(words)) if len(" ".join(words[:at])) >= 20):
        wrapped = f"{OWN}\n\n{' '.join(words[:at])}\n{' '.join(words[at:])}\n\n> jettison"
        assert fresh(wrapped).split() == OWN.split(), wrapped


@pytest.mark.parametrize("divider", DIVIDERS)
def test_what_follows_a_divider_is_quoted_to_the_end(divider: str) -> None:
    assert fresh(f"{OWN}\n\n{divider}\njettison\n\nore").split() == OWN.split()


@pytest.mark.parametrize("head", HEADS, ids=lambda head: head[0])
@pytest.mark.parametrize("rule", ["", "_" * 32 + "\n"])
def test_what_follows_a_head_is_quoted_to_the_end(head: tuple[str, ...], rule: str) -> None:
    assert fresh("\n".join([f"{OWN}\n\n{rule}{head[0]}", *head[1:], "", "jettison ore"])).split() == OWN.split()


@pytest.mark.parametrize(
    "own",
    [
        "On Monday I fly to red.", "On 30 November 2026 at 10:00 I was away.", "On we go:", "To: everybody", "Am I right?",
        "later:\nroll", "say to bob: I wrote to you", "From here: to there", "Original message: none of mine",
        "sent from green to red",
        "On turn 3:\nroll", "A: 1\nB: 2", "I wrote:", "# From: x",
    ],
)  # fmt: skip
def test_what_only_resembles_a_quotation_is_the_writers_own(own: str) -> None:
    assert fresh(f"{own}\n\nroll") == f"{own}\n\nroll"


@pytest.mark.parametrize("mark", [">", "> ", " > ", ">>", "\uff1e", "\ufeff>", "\u200b> >"])
def test_marks_of_quotation(mark: str) -> None:
    assert fresh(f"roll\n{mark}jettison\nend") == "roll\nend"


@pytest.mark.parametrize(
    "line",
    [
        "--", "-- ", "\u2014", "__", "Sent from my iPhone", "Sent from Yahoo Mail on Android",
        "Get Outlook for iOS<https://aka.ms/x>",
        "Von meinem iPhone gesendet", "Gesendet mit der GMX Mail App", "Envoy\u00e9 de mon iPhone",
        "T\u00e9l\u00e9charger Outlook pour iOS",
        "Wys\u0142ane z iPhone'a", "iPhone\u304b\u3089\u9001\u4fe1", "Enviado desde mi iPhone", "Inviato da iPhone",
        "Verstuurd vanaf mijn iPhone", "Skickat fr\u00e5n min iPhone",
    ],
)  # fmt: skip
def test_signatures(line: str) -> None:
    assert is_signature(line)
    assert opening(f"{OWN}\n{line}\nAlice") == (("load green", "roll"), "")


@pytest.mark.parametrize("line", ["load green", "-- load", "sent from here", "get outlook", "- load", "- 3"])
def test_orders_are_no_signatures(line: str) -> None:
    assert not is_signature(line)


def test_above_ends_at_the_first_quotation() -> None:
    assert above("a\n> b\nc") == "a"
    assert above("> b\nc") == ""
    assert above("a\n\nb") == "a\n\nb"


def test_very_long_texts_end_somewhere() -> None:
    assert len(parted("x\n" * 20_000)) == MAX_LINES
