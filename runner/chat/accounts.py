"""What the runs of one start of the command have in common where money is concerned."""

from dataclasses import dataclass, field

from runner.chat.purse import Purse


@dataclass(frozen=True)
class Accounts:
    """``purse`` is what they spend from; ``foreseen`` are keys of the requests that an estimate has counted already."""

    purse: Purse = field(default_factory=Purse)
    foreseen: set[str] = field(default_factory=set)
