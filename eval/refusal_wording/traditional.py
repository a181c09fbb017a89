"""Traditional Chinese characters that occur in the wording of refusals, read as simplified ones."""

import regex

# Pairs: the traditional character, then the simplified one.
_PAIRS = """
資资 檔档 內内 庫库 檢检 結结 訊讯 參参 來来 冊册 沒没 無无 辦办 難难 斷断 確确 認认 獲获 給给 證证 實实 寫写 說说 顯显
載载 紹绍 討讨 論论 記记 錄录 數数 據据 規规 線线 應应 關关 針针 對对 問问 題题 誰谁 麼么 幾几 個个 時时 後后 這这 詳详
細细 從从 為为 該该 總总 協协 請请 聯联 嘗尝 試试 詢询 議议 進进 還还 僅仅 雖虽 盡尽 並并 現现 開开 範范 圍围 覽览 見见
讀读 釋释 經经 過过 們们 與与 補补 換换 煩烦 謝谢 歡欢 願愿 繼继 續续 談谈 講讲 語语 類类 費费 價价 條条 樂乐 讓让 夠够
長长 將将 會会 決决 標标 場场 達达 體体 準准 於于 額额
"""
_SIMPLIFIED = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")


def simplified(text: str) -> str:
    """``text`` at its length with these characters simplified; Japanese, which has kana, stays as it is."""
    return text if text.isascii() or _KANA.search(text) else text.translate(_SIMPLIFIED)
