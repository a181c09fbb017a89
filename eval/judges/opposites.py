"""Words that say the contrary of each other, in English and Chinese: dearer and cheaper, 高于 and 低于."""

import regex

from eval.text.analyzer import normalise

# One line per pair, all words of one side before the bar. A word is matched whole in English, anywhere in Chinese.
_PAIRS = """
more higher greater larger bigger above exceeds? dearer costlier pricier | less fewer lower smaller below under cheaper
most highest largest biggest greatest maximum | least lowest smallest minimum
increas(?:e[sd]?|ing) grow[sn]? grew growing | decreas(?:e[sd]?|ing) declin(?:e[sd]?|ing) shr[aiu]nks?
rise[sn]? rose rising climb(?:s|ed) improve[sd]? | falls? fell fallen falling drop(?:s|ped) worsen(?:s|ed)?
before earlier prior preceding | after later following subsequent
longer longest | shorter shortest
older oldest elder | younger newer youngest newest
faster quicker fastest | slower slowest
stronger strongest | weaker weakest
better best | worse worst
opens? opened opening begins? began begun starts? started | closes? closed closing ends? ended finish(?:es|ed)?
wins? won winning winner | loses? lost losing loser
accepts? accepted approves? approved | rejects? rejected refuses? refused declined
supports? supported favou?rs? favou?red | oppos(?:es?|ed)
allows? allowed permits? permitted | forbids? forbidden prohibits? prohibited bans? banned
includes? included including | excludes? excluded excluding
buys? bought buying purchased? | sells? sold selling
imports? imported | exports? exported
enables? enabled | disables? disabled
succeeds? succeeded success | fails? failed failure
north northern | south southern
east eastern | west western
left | right
male man men | female woman women
father son brother husband king | mother daughter sister wife queen
first | last
mandatory required compulsory obligatory | optional voluntary
public | private
internal | external
full | empty
true correct | false incorrect wrong
positive | negative
高于 大于 多于 超过 长于 强于 优于 贵于 | 低于 小于 少于 不及 短于 弱于 劣于
最高 最大 最多 最长 最好 最早 | 最低 最小 最少 最短 最差 最晚
上升 增长 增加 上涨 提高 扩大 增多 上调 回升 攀升 | 下降 减少 下跌 降低 缩小 下滑 下调 回落 缩减
之前 以前 早于 前夕 | 之后 以后 晚于
支持 赞成 同意 批准 | 反对 拒绝 否决
开始 开幕 开放 开门 | 结束 闭幕 关闭 关门
买入 购买 收购 | 卖出 出售 抛售
进口 | 出口
战胜 击败 获胜 | 负于 不敌 落败 输给
成功 | 失败
允许 | 禁止 严禁
男性 男子 父亲 儿子 丈夫 | 女性 女子 母亲 女儿 妻子
增强 | 减弱
盈利 | 亏损
第一 | 最后
"""


def _pattern(side: str) -> str:
    latin = [word for word in side.split() if word.isascii()]
    other = [word for word in side.split() if not word.isascii()]
    return "|".join([rf"\b(?:{'|'.join(latin)})\b"] if latin else other)


_SIDES = [tuple(regex.compile(_pattern(side)) for side in pair.split(" | ")) for pair in _PAIRS.strip().split("\n")]
_ANY = regex.compile(
    "|".join(f"(?:{_pattern(side)})" for pair in _PAIRS.strip().split("\n") for side in pair.split(" | "))
)

Directions = frozenset[tuple[int, bool]]
"""Which pairs a sentence speaks of, and from which side."""


def directions(text: str) -> Directions:
    """The sides that ``text`` takes; a pair of which it holds both is left out."""
    plain = normalise(text)
    if not _ANY.search(plain):
        return frozenset()
    found = [(bool(up.search(plain)), bool(down.search(plain))) for up, down in _SIDES]
    return frozenset((pair, up) for pair, (up, down) in enumerate(found) if up != down)


def opposite(one: Directions, other: Directions) -> bool:
    """Whether they take different sides of one pair."""
    return any((pair, not up) in other for pair, up in one)


# What may not stand for each other where two sentences are alike but for it: how many, how strictly, on which side.
_DEGREES = """
must | shall | have to | has to | are required to | is required to || may | can | could | might | are allowed to
all | every | each | both || some | several | many | most | few | a few | certain || no | none of the | neither
everyone | everybody | all || someone | some people || no one | nobody | none
always || sometimes | often | usually | occasionally || never | rarely
必须 | 须 | 应 | 应当 | 应该 | 务必 || 可 | 可以 | 无须 | 无需 | 不必 || 不得 | 禁止
所有 | 全部 | 全体 | 一切 | 各 || 部分 | 一些 | 某些 | 多数 | 少数
始终 | 总是 | 一律 || 有时 | 偶尔 | 通常 || 从不
前 | 之前 | 以前 || 后 | 之后 | 以后
not | never | 不 | 未 | 没有 ||\x20
"""
_DEGREE = [
    [{word.strip() for word in side.split("|")} for side in line.split("||")]
    for line in _DEGREES.strip("\n").split("\n")
]
_DENIES = regex.compile(r"\b(?:not|no|never|t|nor|without)\b|[不未没无]")


def other_degree(one: str, other: str) -> bool:
    """Whether two words stand on different sides of one line: must and may, all and some, not and nothing."""
    for sides in _DEGREE:
        places = [[number for number, side in enumerate(sides) if word in side] for word in (one, other)]
        if all(places) and places[0] != places[1]:
            return True
    return not _DENIES.search(f"{one} {other}") and opposite(directions(one), directions(other))
