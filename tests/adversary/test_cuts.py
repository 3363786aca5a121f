"""Who lies about leaving is found out, named and shut out, and the others go on with one log."""

import pytest

from tests.adversary.cuts import lies, must_name, tell
from tests.adversary.liar import Lie


@pytest.mark.parametrize("lie", lies(), ids=str)
def test_the_others_name_who_lies_about_leaving_and_go_on(lie: Lie):
    must_name(tell(lie), lie)
