"""What can go wrong through no fault of the program: one clear sentence, then the way out, and an exit status.

Everything that a person can cause is one of these classes; anything else that is raised is a mistake in the program.
"""

from typing import ClassVar


class RefereeError(Exception):
    """Anything that ends a command with a sentence instead of a result.

    sentence: what is wrong, with which line or file, and why.
    help: the way out, a sentence too; may be empty.

    >>> str(RefereeError("The cupboard is bare.", "Fill it."))
    'The cupboard is bare. Fill it.'
    """

    exit_code: ClassVar[int] = 5

    def __init__(self, sentence: str, help: str = "") -> None:
        # Both go to Exception, so that the error survives pickling between processes.
        super().__init__(sentence, help)
        self.sentence = sentence
        self.help = help

    def __str__(self) -> str:
        return f"{self.sentence} {self.help}".rstrip()


class Usage(RefereeError):
    """A command that cannot be meant as it was typed.

    >>> Usage("There is no game chess.").exit_code
    2
    """

    exit_code = 2


class Refusal(RefereeError):
    """A submission that changes nothing; one of Unreadable, NotNow, Refused.

    >>> issubclass(Unreadable, Refusal), Refusal("No.").exit_code
    (True, 3)
    """

    exit_code = 3


class Unreadable(Refusal):
    """No position could understand this.

    >>> str(Unreadable("Line 3 is no order.", "Write one order a line."))
    'Line 3 is no order. Write one order a line.'
    """


class NotNow(Refusal):
    """It is understood, but nobody asked for it at this stop.

    >>> NotNow("It is bob's turn.").exit_code
    3
    """


class Refused(Refusal):
    """It is understood and asked for, but not among the choices.

    >>> Refused("Your hold is full.").exit_code
    3
    """


class Unverified(RefereeError):
    """A save, chain or report that does not verify, or whose game, version or data is not installed.

    >>> Unverified("0003.toml is missing.").exit_code
    4
    """

    exit_code = 4


class Trouble(RefereeError):
    """The machine does not play along: disk full, no permission, a missing folder.

    >>> Trouble("The disk is full.").exit_code
    5
    """

    exit_code = 5
