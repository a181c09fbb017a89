"""Words that carry grammar and not content: they say nothing of what a sentence is about."""

ENGLISH = frozenset(
    """
    a about above after again all also am an and any are aren't as at be because been before being below between both
    but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each either few for from
    further had hadn't has hasn't have haven't having he her here hers herself him himself his how i if in into is
    isn't it its itself just let me more most much must my myself neither no nor not of off on once only or other
    ought our ours ourselves out over own per same shall she should shouldn't so some such than that the their theirs
    them themselves then there these they this those through thus to too under until up upon us very was wasn't we
    were weren't what when where whether which while who whom whose why will with within without won't would wouldn't
    yes you your yours yourself yourselves
    """.split()
)

# Particles, pronouns, prepositions and conjunctions; longest first, so that 但是 is not read as 但 and 是.
CHINESE = tuple(
    """
    为什么 怎么样 是不是 有没有 什么样 什么 怎么 如何 哪些 哪个 哪里 多少 可以 应该 应当 以及 或者 并且 而且 但是 因为
    所以 如果 的话 这个 那个 这些 那些 我们 你们 他们 它们 一个 进行 通过 对于 关于 由于 根据 按照 其中 需要 必须 能够
    是否 请问 之后 之前 以上 以下 的 了 是 在 和 与 及 或 也 都 就 而 并 但 则 被 把 将 由 从 向 对 为 以 于 至
    到 等 其 此 这 那 该 各 每 吗 呢 吧 啊 着 过 得 地 之 所 我 你 您 他 她 它 们 很 更 最 谁 哪 几 个 请
    """.split()
)
