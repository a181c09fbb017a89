"""`python -m eval`: the scale's own commands; they read files and need no run."""

import io
import sys

import typer

from eval.errors import EvalfirstError
from eval.exporting.command import export_command
from eval.golden.command import check_command
from eval.importing.command import import_command

_MOST_ERRORS = 20  # a file of another kind is wrong in every line

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.command("check")(check_command)
app.command("import")(import_command)
app.command("export")(export_command)


@app.callback()
def _commands() -> None:
    """Check, import and export what measures a system: golden sets and what is read with them."""


def main() -> None:
    """Run a command; a failure that a person can act on ends in one line per problem."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # ids in any script, terminals in some
    try:
        app(prog_name="python -m eval")
    except EvalfirstError as error:
        lines = str(error).splitlines()
        for line in lines[:_MOST_ERRORS]:
            typer.echo(f"error: {line}", err=True)
        if len(lines) > _MOST_ERRORS:
            typer.echo(f"error: and {len(lines) - _MOST_ERRORS} more like these", err=True)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
