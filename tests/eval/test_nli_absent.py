"""The judge ``nli`` where its extra is not installed."""

import importlib.util

import pytest

from eval.errors import MissingExtraError
from eval.judges.nli import NliJudge


@pytest.mark.skipif(importlib.util.find_spec("transformers") is not None, reason="the extra nli is installed")
def test_the_missing_package_is_named_with_the_extra_that_has_it() -> None:
    with pytest.raises(MissingExtraError, match=r"judge=nli needs the package \w+: pip install 'evalfirst\[nli\]'"):
        NliJudge(model="somebody/model")
