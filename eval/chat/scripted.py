"""A chat model that says what it was told to say: for tests, and to try a configuration without a model."""

from collections.abc import Callable, Mapping

from eval.chat.messages import Call, ChatFailedError, ChatRequest, Completion, Finish
from eval.component import component


@component
class ScriptedChat:
    """Replies by what a request holds: the first key of ``replies`` that occurs in its text decides.

    ``otherwise`` is the reply where none does; ``None`` fails then. A callable in its place makes the reply from the
    request. A word counts as a token, and nothing costs anything.
    """

    replies: Mapping[str, str] | None = None
    otherwise: str | Callable[[ChatRequest], str] | None = None
    name: str = "scripted"
    vendor: str = ""
    finish: Finish = "stop"
    concurrency: int = 1

    def complete(self, request: ChatRequest) -> Completion:
        """The scripted reply.

        Raises:
            ChatFailedError: the script has none.
        """
        asked = f"{request.system}\n{request.user}"
        scripted = (reply for key, reply in (self.replies or {}).items() if key in asked)
        reply = next(scripted, self.otherwise if isinstance(self.otherwise, str) else None)
        if reply is None and callable(self.otherwise):
            reply = self.otherwise(request)
        if reply is None:
            raise ChatFailedError("the script has no reply to this")
        call = Call(self.name, len(asked.split()), len(reply.split()), 0.0, 0.0)
        return Completion(reply, self.finish, (call,))

    def forget(self, request: ChatRequest) -> None:
        """Nothing is kept anyway."""
