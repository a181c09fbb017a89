"""Who made a model, told from its name and from where it is asked."""

import re
from urllib.parse import urlsplit

# By the beginning of a model's own name, without the folders that gateways put before it.
_BY_NAME = (
    ("openai", r"gpt|chatgpt|o[134](?:$|[-_])|davinci|codex|text-embedding-(?:3|ada)"),
    ("anthropic", r"claude"),
    ("google", r"gemini|gemma|palm|learnlm"),
    ("meta", r"(?:meta-?)?llama|codellama"),
    ("alibaba", r"qwen|qwq|qvq|tongyi"),
    ("mistral", r"(?:open-)?mi[sx]tral|codestral|ministral|magistral|devstral|pixtral"),
    ("deepseek", r"deepseek"),
    ("xai", r"grok"),
    ("cohere", r"command|c4ai|aya|(?:embed|rerank)-(?:v\d|english|multilingual)"),
    ("zhipu", r"glm|chatglm"),
    ("moonshot", r"kimi|moonshot"),
    ("microsoft", r"phi[-_\d]|wizardlm|mai-"),
    ("minimax", r"minimax|abab"),
    ("baidu", r"ernie"),
    ("bytedance", r"doubao|seed-"),
    ("tencent", r"hunyuan"),
    ("amazon", r"nova-|titan|amazon[.]"),
    ("nvidia", r"nemotron"),
    ("ibm", r"granite"),
    ("01ai", r"yi-"),
    ("huggingface", r"smollm|zephyr"),
    ("ai2", r"olmo|tulu"),
    ("perplexity", r"sonar"),
)
# By the host of a vendor's own service, for models whose names tell nothing.
_BY_HOST = {
    "api.openai.com": "openai",
    "api.anthropic.com": "anthropic",
    "generativelanguage.googleapis.com": "google",
    "api.mistral.ai": "mistral",
    "api.deepseek.com": "deepseek",
    "api.x.ai": "xai",
    "api.cohere.com": "cohere",
    "api.cohere.ai": "cohere",
    "api.moonshot.cn": "moonshot",
    "api.moonshot.ai": "moonshot",
    "open.bigmodel.cn": "zhipu",
    "api.z.ai": "zhipu",
    "dashscope.aliyuncs.com": "alibaba",
    "dashscope-intl.aliyuncs.com": "alibaba",
}
_PATTERNS = tuple((vendor, re.compile(pattern, re.IGNORECASE)) for vendor, pattern in _BY_NAME)


def bare_name(model: str) -> str:
    """A model's own name: ``openai/gpt-4o:free``, ``models/gemini-pro`` and ``us.anthropic.claude-x`` hold more."""
    last = model.removeprefix("ft:").rsplit("/", 1)[-1].partition(":")[0]
    return re.sub(r"^(?:(?:us|eu|apac|global)[.])?(?:anthropic|meta|mistral|deepseek|cohere|openai|qwen)[.]", "", last)


def vendor_of(model: str, base_url: str) -> str:
    """The vendor of ``model``; "" where neither its name nor the host of ``base_url`` tells."""
    name = bare_name(model)
    for vendor, pattern in _PATTERNS:
        if pattern.match(name):
            return vendor
    return _BY_HOST.get(urlsplit(base_url).hostname or "", "")


def same_model(one: str, other: str) -> bool:
    """Whether two names mean one model, whatever gateway, dated version or "latest" they name beside it."""
    return _undated(one) == _undated(other)


def _undated(model: str) -> str:
    return re.sub(r"-(?:latest|\d{4}-\d{2}-\d{2}|\d{8}|\d{4})$", "", bare_name(model).casefold())
