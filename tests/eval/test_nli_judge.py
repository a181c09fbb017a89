"""The judge ``nli`` with tiny models that are made here: their weights say what they answer."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import ValidationError

from eval.errors import InputError
from eval.judges.lexical import LexicalJudge
from eval.judges.nli import NliJudge
from eval.records import Judgement

INSTALLED = "needs the extra nli (torch and transformers)"
torch = pytest.importorskip("torch", reason=INSTALLED)
transformers = pytest.importorskip("transformers", reason=INSTALLED)

WORDS = "dogs are allowed in the garden cats sleep visitors pay at gate fee is what does it cost . , ?".split()
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
NAMES = ("contradiction", "neutral", "entailment")
CONTEXT = "Dogs are allowed in the garden. Visitors pay at the gate."
ANSWER = "Dogs are allowed in the garden. Visitors pay the fee."
Maker = Callable[..., str]


@pytest.fixture
def make(tmp_path: Path) -> Maker:
    """A maker of models: ``bias`` decides, where ``weight`` is none."""

    def made(bias: tuple[float, ...], names: tuple[str, ...] = NAMES, weight: object = None, folder: str = "m") -> str:
        place = tmp_path / folder
        place.mkdir(exist_ok=True)
        (place / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
        torch.manual_seed(7)
        shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
        config = transformers.BertConfig(vocab_size=len(VOCABULARY), **shape, id2label=dict(enumerate(names)))
        network = transformers.BertForSequenceClassification(config)
        with torch.no_grad():
            network.classifier.bias.copy_(torch.tensor(bias))
            network.classifier.weight.copy_(torch.zeros(len(bias), 16) if weight is None else weight)
        network.save_pretrained(place)
        transformers.BertTokenizerFast(vocab_file=str(place / "vocab.txt")).save_pretrained(place)
        return str(place)

    return made


def judged(judge: NliJudge, answer: str = ANSWER, context: str = CONTEXT) -> Judgement:
    judgement = judge.judge("What does it cost?", context, answer)
    assert isinstance(judgement, Judgement)
    return judgement


@pytest.mark.parametrize(
    ("bias", "verdict", "reason"),
    [
        ((0.0, 0.0, 9.0), "supported", "entailment 1.00"),
        ((9.0, 0.0, 0.0), "unsupported", "contradiction 1.00"),
        ((0.0, 9.0, 0.0), "unsupported", "neutral 1.00"),
    ],
)
def test_the_largest_output_decides(make: Maker, bias: tuple[float, ...], verdict: str, reason: str) -> None:
    statements = judged(NliJudge(model=make(bias))).statements
    assert [(one.text, one.verdict, one.reason) for one in statements] == [
        ("Dogs are allowed in the garden.", verdict, reason),
        ("Visitors pay the fee.", verdict, reason),
    ]


def test_entailment_that_leads_below_the_threshold_supports_nothing(make: Maker) -> None:
    # softmax of (0, 0, 1): e / (e + 2) = 0.576
    model = make((0.0, 0.0, 1.0))
    assert judged(NliJudge(model=model, threshold=0.57)).faithfulness == 1.0
    doubtful = judged(NliJudge(model=model, threshold=0.58))
    assert [one.reason for one in doubtful.statements] == ["entailment 0.58 below 0.58"] * 2
    assert doubtful.faithfulness == 0.0


def test_the_order_of_the_labels_and_the_size_of_a_batch_change_nothing(make: Maker) -> None:
    weight = torch.randn(3, 16, generator=torch.Generator().manual_seed(3))
    order = [2, 0, 1]
    first = NliJudge(model=make((0.1, 0.2, 0.3), weight=weight, folder="a"), passages=3, max_length=16)
    names = tuple(NAMES[place] for place in order)
    second = NliJudge(model=make((0.3, 0.1, 0.2), names, weight[order], folder="b"), passages=3, max_length=16, batch=1)
    assert judged(first) == judged(second) == judged(first)


def test_two_outputs_and_a_place_that_is_given_do(make: Maker) -> None:
    assert judged(NliJudge(model=make((0.0, 5.0), ("hallucinated", "consistent"), folder="a"))).faithfulness == 1.0
    unnamed = make((5.0, 0.0), ("LABEL_0", "LABEL_1"), folder="b")
    assert judged(NliJudge(model=unnamed, entailment=0)).faithfulness == 1.0
    with pytest.raises(InputError, match="label 0, label 1"):
        NliJudge(model=unnamed)


def test_a_context_far_longer_than_the_view_is_judged(make: Maker) -> None:
    judge = NliJudge(model=make((0.0, 0.0, 9.0)), max_length=16)
    assert judged(judge, context=" ".join(["Cats sleep."] * 500)).faithfulness == 1.0
    assert judged(judge, answer="dogs " * 500).faithfulness == 1.0


def test_what_claims_nothing_is_treated_as_the_lexical_judge_does(make: Maker) -> None:
    judge = NliJudge(model=make((9.0, 0.0, 0.0)))
    assert judged(judge, "I don't know.") == Judgement(refused=True, statements=(), relevancy=0.0)
    answer = "What does it cost? It is. Please contact the desk. The documents do not say who pays."
    lexical = LexicalJudge().judge("What does it cost?", "Cats sleep.", answer)
    assert isinstance(lexical, Judgement)
    found = judged(judge, answer, "Cats sleep.")
    assert [one.verdict for one in found.statements] == ["undecidable"] * 4
    assert [one.verdict for one in lexical.statements] == ["undecidable"] * 4
    assert found.relevancy == lexical.relevancy


def test_nothing_is_supported_by_an_empty_context(make: Maker) -> None:
    found = judged(NliJudge(model=make((0.0, 0.0, 9.0))), context=" \n")
    assert [one.reason for one in found.statements] == ["there is no material"] * 2
    assert found.faithfulness == 0.0


def test_a_model_that_is_not_there_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        NliJudge(model=str(tmp_path / "none"))
    (problem,) = caught.value.problems
    assert "\n" not in problem
    assert "none" in problem
    assert "save_pretrained" in problem


def test_a_folder_that_holds_no_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"judge\.model must be a folder"):
        NliJudge(model=str(tmp_path))


def test_weights_that_cannot_be_read_are_told(make: Maker) -> None:
    model = make((0.0, 0.0, 9.0))
    (Path(model) / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"judge\.model must be a folder"):
        judged(NliJudge(model=model))


def test_a_device_that_is_not_there_is_told(make: Maker) -> None:
    with pytest.raises(InputError, match=r"judge\.device must be.*got 'nowhere'"):
        judged(NliJudge(model=make((0.0, 0.0, 9.0)), device="nowhere"))


@pytest.mark.parametrize("value", [-0.1, 1.1, "0.5", True])
def test_a_threshold_that_is_no_share_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        NliJudge(model="m", threshold=value)  # type: ignore[arg-type] # what a YAML file may hold
