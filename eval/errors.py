"""What can go wrong, as exit codes: each error carries the code that a command ends with."""


class EvalfirstError(Exception):
    """Any failure that a person can act on; printed as its message, without a traceback."""

    exit_code = 3


class InputError(EvalfirstError):
    """A file, a configuration or an argument is wrong. One line per problem: the value, the rule, the remedy."""

    exit_code = 2

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class MissingExtraError(InputError):
    """An optional part was chosen whose package is not installed."""

    def __init__(self, part: str, package: str, extra: str) -> None:
        super().__init__(f"{part} needs the package {package}: pip install 'evalfirst[{extra}]'")
