"""Names in a sentence: capitalised words inside it, and Chinese names of persons where a title or a verb shows them."""

import regex

from eval.text.function_words import ENGLISH

_WORD = r"\p{Lu}[\p{L}\p{M}]*\p{Ll}[\p{L}\p{M}]*(?:['’]\p{L}+)*"
_CAPITALISED = regex.compile(rf"(?<![\p{{L}}\p{{N}}@./#_-])(?:{_WORD})(?:[ -](?:{_WORD}))*(?![\p{{L}}\p{{N}}@/_])")
_WORDS = regex.compile(r"[\p{L}\p{M}'’]+")
_CALENDAR = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august"
    " september october november december mr mrs ms dr".split()
)
_LARGEST_SHARE = 0.5  # of a sentence's words; from there on capitals are its style, as in a heading
# Elsewhere, as in German, capitals may mean any noun.
_ENGLISH = regex.compile(r"\b(?:the|of|and|by|to|for|with|has|is|at|on)\b")

_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜谢邹喻苏潘葛范彭鲁韦马苗方俞任袁柳史唐费廉岑薛雷贺倪汤"
    "罗毕郝安常于傅康齐伍余顾孟黄穆萧尹姚邵汪祁毛狄戴宋庞熊纪舒屈项祝董梁杜阮蓝季贾江童颜郭梅林钟徐邱骆高夏蔡田樊胡凌霍万"
    "卢莫房丁邓洪包左石崔龚程邢裴陆翁曲段侯武刘龙叶白邰赖卓乔谭尚温庄柴瞿阎向廖欧耿关简沙"
)
_TITLE = (
    "董事长|总经理|经理|会长|局长|处长|部长|院长|校长|所长|主任|书记|省长|市长|县长|区长|主席|总统|总理|首相|大使|发言人|"
    "记者|教授|博士|教练|主帅|队长|法官|检察官|律师|医生|导演|演员|作家|歌手|院士|专家|委员|代表|员工|市民|选手|将军|司令|总裁|主编"
)
_SAYS = "表示|说|介绍|指出|认为|称|告诉|透露|强调|坦言|回忆|解释|宣布|呼吁|建议"
_CHINESE = regex.compile(
    rf"(?<=(?:{_TITLE}|由))(?P<name>[{_SURNAMES}]\p{{Han}}{{1,2}}?)(?={_SAYS}|于|在|向|对|创|设计|执导|主演|担任|[,，、。（(]|$)"
    rf"|(?<=^|[,，。、；;“])(?P<speaker>[{_SURNAMES}]\p{{Han}}{{1,2}}?)(?={_SAYS})"
    r"|(?P<foreign>\p{Han}·\p{Han})"
)


def names_in(sentence: str) -> tuple[str, ...]:
    """The names in reading order; where it can't be told whether capitals mean names, none."""
    chinese = (next(filter(None, match.groups())) for match in _CHINESE.finditer(sentence))
    return (*_capitalised(sentence), *chinese)


def is_chinese(name: str) -> bool:
    """Whether a name of ``names_in`` was told by what stands beside it, not by its capitals."""
    return bool(regex.match(r"\p{Han}", name))


def _capitalised(sentence: str) -> list[str]:
    if not _ENGLISH.search(sentence):
        return []
    found: list[str] = []
    for match in _CAPITALISED.finditer(sentence):
        words = [word for word in regex.split("[ -]", match[0]) if word.casefold() not in ENGLISH | _CALENDAR]
        # one capitalised word that opens a sentence is any word
        if words and (len(words) > 1 or not _opens(sentence, match.start())):
            found.append(" ".join(words))
    counted = sum(len(name.split()) for name in found)
    return found if counted < _LARGEST_SHARE * len(_WORDS.findall(sentence)) else []


def _opens(sentence: str, place: int) -> bool:
    before = sentence[:place].rstrip(" \"'“‘(*_")
    return not before or before[-1] in ".!?:;\n•-–—"
