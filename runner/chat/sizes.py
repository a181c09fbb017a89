"""How many tokens a request and a reply have, counted with o200k_base: exact for OpenAI's models, else an estimate."""

import math

from eval.chat.messages import ChatRequest
from eval.fingerprints import canonical_json
from runner.tokens import token_counter

_FRAME = 8  # tokens that mark who says what
_MARGIN = 1.5  # other vendors' tokenizers cut finer; a schema may be rewritten on the way


def output_tokens(text: str) -> int:
    """Tokens of a reply."""
    return token_counter("o200k_base").count(text)


def input_tokens(request: ChatRequest) -> int:
    """Tokens of a request, its schema included."""
    schema = "" if request.schema is None else canonical_json(request.schema)
    return _FRAME + sum(output_tokens(text) for text in (request.system, request.user, schema))


def most_input_tokens(request: ChatRequest) -> int:
    """More tokens than any model is likely to bill for a request."""
    return math.ceil(input_tokens(request) * _MARGIN) + _FRAME
