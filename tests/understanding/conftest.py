"""Cases of the rules' authors that are heard otherwise since the role of a value is learnt (ADR 31).

They are asked for in shares: what is listed here may fail, all else must not. To mend one, add a line to a hand of the
corpus and train.
"""

import pytest

MISHEARD = (
    "test_details_are_told_apart_in_any_order[3001234567 Ana",
    "test_the_region_comes_from_the_city_or_from_the_contact[messages3-",
    "test_the_region_comes_from_the_city_or_from_the_contact[messages7-",
    "test_who_is_given_something_receives_it[message0-",
    "test_who_is_given_something_receives_it[quiero comprarle uno",
    "test_who_is_given_something_receives_it[soy Marta Gil",
    "test_a_message_to_somebody_else_is_no_order_for_them",
    "test_who_receives_the_order_goes_before_who_writes[yo vivo en Cali",
    "test_another_person_who_is_only_spoken_of_changes_nothing[el celular de Rosa",
    "test_every_detail_of_a_run_on_message_is_taken_and_no_more[line4]",
    "test_every_detail_of_a_run_on_message_is_taken_and_no_more[line9]",
    "test_every_detail_of_a_run_on_message_is_taken_and_no_more[line6]",
    "test_how_many_are_wished_for_is_taken_beside_the_details[me llevo tres",
    "test_how_many_are_wished_for_is_taken_beside_the_details[quiero 2 pero",
    "test_what_is_denied_or_past_is_not_where_they_go[estuvimos en enero",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let what is listed fail."""
    for item in items:
        if item.name.startswith(MISHEARD):
            item.add_marker(pytest.mark.xfail(reason="learnt otherwise, ADR 31", strict=False))
