"""Where the file of labels of a dataset lies."""

import json
from pathlib import Path

import pytest

from eval.errors import InputError
from runner.label_files import labels_path, only_labels_path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder in which the command is typed; it has the one for the scale's files."""
    (tmp_path / "eval").mkdir()
    return tmp_path / "eval"


def test_the_first_dataset_has_the_plain_name_and_others_one_of_their_own(folder: Path) -> None:
    first, own = folder / "human-labels.json", folder / "human-labels.zh.json"
    assert labels_path(None, "en", folder.parent) == labels_path(None, "zh", folder.parent) == first
    first.write_text(json.dumps({"dataset": "en"}))
    assert (labels_path(None, "en", folder.parent), labels_path(None, "zh", folder.parent)) == (first, own)
    first.write_text(json.dumps({"dataset": "zh"}))
    assert labels_path(None, "zh", folder.parent) == first
    own.write_text("{}")
    assert labels_path(None, "zh", folder.parent) == own
    first.write_text("{")  # what can't be read is told when it is read
    assert labels_path(None, "en", folder.parent) == first


def test_a_path_that_is_given_counts_and_must_name_a_file(folder: Path) -> None:
    assert labels_path("mine.json", "zh", folder.parent) == folder.parent / "mine.json"
    for given in ("", "eval", "."):
        with pytest.raises(InputError, match="--file is the file of labels"):
            labels_path(given, "en", folder.parent)


def test_the_only_file_is_found_and_of_several_one_must_be_named(folder: Path) -> None:
    with pytest.raises(InputError, match=r"human-labels\.json is not there"):
        only_labels_path(None, folder.parent)
    own = folder / "human-labels.zh.json"
    own.write_text("{}")
    assert only_labels_path(None, folder.parent) == own
    (folder / "human-labels.json").write_text("{}")
    with pytest.raises(InputError, match="labels of several datasets"):
        only_labels_path(None, folder.parent)
