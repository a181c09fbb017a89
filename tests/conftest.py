"""What several test files need."""

from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).parents[1].parent / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Public collections that are not part of the project; tests on them are skipped where they are absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"no public collections at {SHARED_DATA}")
    return SHARED_DATA
