"""What Hydra finds wrong with a command line, said in one line: the value, the rule, the remedy."""

import re
from collections.abc import Sequence

from hydra.errors import MissingConfigException, OverrideParseException

from eval.errors import InputError

# A key that is one of these words, or ends with one, holds a secret; max_tokens and api_key_env do not.
_SECRET = re.compile(r"(?:^|[._+])(?:api_?key|key|token|secret|password|passwd|credentials?)$", re.IGNORECASE)
_NO_VALUE = {"", "null", "none"}


def refuse_secrets(arguments: Sequence[str]) -> None:
    """Refuse a secret on the command line, before Hydra writes the line into its files.

    Raises:
        InputError: names the key and never shows the value.
    """
    for argument in arguments:
        key, equals, value = argument.partition("=")
        if equals and not key.startswith("-") and _SECRET.search(key) and value.casefold() not in _NO_VALUE:
            bare = key.lstrip("+~")
            raise InputError(
                f"{bare} looks like a secret and would be written to the run's files: put it into an environment "
                f"variable and give that variable's name ({bare}_env=NAME)"
            )


def complain_about(error: Exception, arguments: Sequence[str]) -> str:
    """One line for an error of Hydra or OmegaConf."""
    if isinstance(error, OverrideParseException):
        return _unparsed(error, arguments)
    if isinstance(error, MissingConfigException) and error.options is not None:
        return _unknown_option(error)
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = " ".join(lines) or type(error).__name__
    if (key := re.search(r"Could not override '([^']+)'|Key '([^']+)' is not in struct", told)) is not None:
        return f"{key[1] or key[2]} is not a key of the configuration: see python -m runner --cfg job for all keys"
    return told


def _unknown_option(error: MissingConfigException) -> str:
    missing = str(error.missing_cfg_file or "").removesuffix(".yaml")
    group, _, option = missing.rpartition("/")
    options = ", ".join(sorted(error.options or ()))
    return f"{group}={option} is not there: choose one of {options}"


def _unparsed(error: OverrideParseException, arguments: Sequence[str]) -> str:
    """Values with characters of Hydra's grammar need quotes inside the shell's."""
    override = error.override if error.override in arguments else next(iter(arguments), error.override)
    key, equals, value = override.partition("=")
    if not equals:
        return f"{override!r} is not an override: write key=value"
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    return f"the value of {key} can't be read ({value!r}): quote it twice, as in '{key}=\"{quoted}\"'"
