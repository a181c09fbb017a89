"""What Hydra finds wrong with a command line, said in one line: the value, the rule, the remedy."""

import re
import shlex
from collections.abc import Sequence

from hydra import compose, initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from omegaconf import DictConfig

from eval.errors import InputError
from runner.chat.access import is_variable
from runner.command.launcher import GROUP
from runner.config.values import names_a_secret
from runner.shipped import shipped

_KEY_ENV = re.compile(r"key_env[\"']?\s*[:=]\s*[\"']?([^\"',}\s]*)")
# Keys by the beginnings that vendors give them, keys in the query of an address, and passwords before its host.
_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:sk|gsk|xai|hf)[-_](?=[\w-]*\d)[\w-]{6,}|AIza[\w-]{20,}|AKIA[A-Z0-9]{12,}"
    r"|[?&][\w-]*(?:key|token|secret|password|sig)[\w-]*=[^&\s]+|https?://[^/\s:@]*:[^/\s@]+@",
    re.IGNORECASE,
)


def refuse_secrets(arguments: Sequence[str]) -> None:
    """Refuse a secret on the command line, before Hydra writes the line into its files.

    Raises:
        InputError: names the key and never shows the value.
    """
    for argument in arguments:
        _refuse_key(argument)
        key, equals, value = argument.partition("=")
        if equals and not key.startswith("-") and names_a_secret(key) and not _harmless(value):
            bare = key.lstrip("+~")
            raise InputError(
                f"{bare} looks like a secret and would be written to the run's files: put it into an environment "
                f"variable and write '{bare}=${{oc.env:NAME}}'"
            )


def _refuse_key(argument: str) -> None:
    """Refuse what holds a key wherever it stands: in the place of its variable's name, or in an address."""
    typed = _KEY_ENV.search(argument)
    if typed is not None and not _harmless(typed[1]) and not is_variable(typed[1]):
        raise InputError("key_env must be the NAME of an environment variable, in capitals, such as OPENAI_API_KEY")
    found = _KEY.search(argument)
    if found is not None and "oc.env:" not in argument:
        where = re.split(r"[=\s]", argument.lstrip("+~-"), maxsplit=1)[0]
        named = "an argument" if _KEY.search(where) else where
        raise InputError(
            f"{named} holds what looks like a key or a password and would be written to the run's files: put it into "
            "an environment variable, and only the variable's NAME into key_env"
        )


def _harmless(value: str) -> bool:
    """Nothing, or only the name of an environment variable."""
    return value.casefold() in {"", "null", "none"} or "oc.env:" in value


def complain_about(error: Exception, arguments: Sequence[str]) -> str:
    """One line for an error of Hydra or OmegaConf."""
    if isinstance(error, OverrideParseException):
        return _unparsed(error, arguments)
    if isinstance(error, MissingConfigException) and error.options is not None:
        return _unknown_option(error)
    if "Ambiguous value for argument" in str(error):
        argument = str(error).splitlines()[0].removeprefix("Ambiguous value for argument ")
        return f"several values in {argument}: to sweep over them put -m first"
    if "Config group override must be" in str(error):
        return "the option of a group is the name of a file, as in budget=skip (got a number, null or a mapping)"
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    told = " ".join(lines) or type(error).__name__
    if (key := re.search(r"Could not override '([^']+)'", told)) is not None:
        return unknown_key(key[1], _composed(key[1], arguments))
    return told


def unknown_key(key: str, config: DictConfig | None) -> str:
    """Which keys there are where this one is not; none are named where the configuration is not known."""
    return f"{key} is not a key of the configuration" + ("" if config is None else _there_are(key, config))


def _there_are(key: str, config: DictConfig) -> str:
    """The keys beside a wrong one, or else those of the nearest thing above it."""
    above, node = "", config
    for name in key.split(".")[:-1]:
        below = node.get(name)
        if not isinstance(below, DictConfig):
            break
        above, node = f"{above}.{name}".lstrip("."), below
    known = ", ".join(str(name) for name in node if name != "_target_")
    if not known:
        return f"; {above} has no options as it was chosen: choose another one, as in {above}=NAME"
    return f"; there are: {known}" if above in {"", key.rpartition(".")[0]} else f"; {above} has: {known}"


def _composed(key: str, arguments: Sequence[str]) -> DictConfig | None:
    """The configuration of the options chosen on the command line, without the override that failed."""
    if GlobalHydra.instance().is_initialized():  # it composes one configuration at a time
        return None
    chosen = [argument for argument in arguments if re.fullmatch(r"\+?[a-z_]+=[\w-]+", argument)]
    with initialize_config_dir(str(shipped("conf")), version_base="1.3"):
        try:
            return compose("config", [each for each in chosen if each.partition("=")[0].lstrip("+") != key])
        except HydraException:  # an option from a folder of one's own, which is not searched here
            return None


def _unknown_option(error: MissingConfigException) -> str:
    missing = str(error.missing_cfg_file or "").removesuffix(".yaml")
    group, _, option = missing.rpartition("/")
    options = ", ".join(sorted(error.options or ()))
    plugin = " (or install the Hydra plugin that brings it: joblib comes with evalfirst[joblib])"
    return f"{group}={option} is not there: choose one of {options}{plugin if group == GROUP else ''}"


def _unparsed(error: OverrideParseException, arguments: Sequence[str]) -> str:
    """Values with characters of Hydra's grammar need quotes inside the shell's."""
    override = error.override if error.override in arguments else next(iter(arguments), error.override)
    key, equals, value = override.partition("=")
    if not equals:
        return f"{override!r} is not an override: write key=value"
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    typed = shlex.quote(f'{key}="{quoted}"')
    return f"the value of {key} can't be read ({value!r}): quote it twice, as in {typed}"
