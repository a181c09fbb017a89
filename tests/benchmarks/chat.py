"""How close 200 questions come to the ideal against a server of 200 ms: python -m tests.benchmarks.chat

The server runs in a process of its own, as a real one does. The ideal is the latency alone, at a concurrency of 16:
200 * 0.2 s / 16 = 2.5 s (whole rounds of 16 would take 2.6 s).
"""

import multiprocessing
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from time import perf_counter, process_time

from eval.chat.messages import ChatRequest
from runner.chat.anthropic_messages import AnthropicMessages
from runner.chat.cache import CallCache
from runner.chat.desk import Desk
from runner.chat.endpoint import Endpoint
from runner.chat.openai_compatible import OpenAICompatible
from runner.chat.purse import Purse
from tests.runner.chat_server import Step, serving

QUESTIONS, LATENCY_S, CONCURRENCY = 200, 0.2, 16
IDEAL_S = QUESTIONS * LATENCY_S / CONCURRENCY


def serve(told: Connection) -> None:
    """Tell the address, answer until told to end."""
    with serving([Step("An answer of some length. " * 10, delay_s=LATENCY_S)]) as server:
        told.send(server.url)
        told.recv()


def measure(endpoint: Endpoint) -> tuple[float, float]:
    """Seconds, and seconds of this process's work, for all questions after one that opens the connection."""
    context = "Some material that a question is answered from. " * 60
    requests = [ChatRequest("Answer.", f"{context} Question {number}?", 300) for number in range(QUESTIONS)]
    with (
        tempfile.TemporaryDirectory() as folder,
        Desk(CallCache(Path(folder)), Purse()) as desk,
        ThreadPoolExecutor(CONCURRENCY) as pool,
    ):
        line = desk.line(endpoint)
        line.complete(ChatRequest("Answer.", "Are you there?", 300))
        start, worked = perf_counter(), process_time()
        done = list(pool.map(line.complete, requests))
        seconds = perf_counter() - start
        if any(not completion.text for completion in done):
            raise SystemExit("some question has no answer")
        return seconds, process_time() - worked


def compare(kind: str, make: Callable[[bool], Endpoint]) -> None:
    """Print a line for whole and one for streamed replies."""
    for stream in (False, True):
        seconds, worked = measure(make(stream))
        print(
            f"{kind:9} {'streamed' if stream else 'whole':8}: {seconds:.2f} s, {seconds / IDEAL_S:.2f} times the ideal "
            f"of {IDEAL_S} s; {worked / QUESTIONS * 1e3:.1f} ms of work per question"
        )


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    here, there = multiprocessing.Pipe()
    server = multiprocessing.Process(target=serve, args=(there,), daemon=True)
    server.start()
    url = here.recv()
    try:
        compare(
            "OpenAI",
            lambda stream: OpenAICompatible(
                name="m", base_url=f"{url}/v1", key_env=None, stream=stream, concurrency=CONCURRENCY
            ),
        )
        compare(
            "Anthropic",
            lambda stream: AnthropicMessages(
                name="m", base_url=url, key_env=None, stream=stream, concurrency=CONCURRENCY
            ),
        )
    finally:
        here.send("end")
        server.join()
    sys.exit()
