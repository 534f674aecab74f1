"""Towns of the United States, with the state where the name, the contact or a ZIP code tells it."""

from time import process_time

import pytest
from details import STATES, taken
from nasty import NASTY

from hilo.recognisers.normalise import normalise
from hilo.recognisers.places.cities import find_cities, region_of
from hilo.recognisers.places.gazetteer_names import american_names
from hilo.recognisers.places.regions import find_regions, find_zip_states

WITH_ZIP = STATES.replace("flows:", '  zip: {type: text, pattern: "[0-9]{5}", ask: "ZIP?"}\nflows:')


@pytest.mark.parametrize(
    ("message", "city", "state"),
    [
        ("I live in Springfield", "Springfield", ""),
        ("Springfield", "Springfield", ""),
        ("Springfield, IL", "Springfield", "Illinois"),
        ("Springfield, zip 62704", "Springfield", "Illinois"),
        ("Brooklyn", "Brooklyn", "New York"),
        ("Austin", "Austin", "Texas"),
        ("Cambridge MA 02139", "Cambridge", "Massachusetts"),
        ("cambridge, ma", "Cambridge", "Massachusetts"),
        ("Cambridge", "Cambridge", ""),
        ("saint louis", "St. Louis", "Missouri"),
        ("NYC", "New York City", "New York"),
        ("New York", "New York City", "New York"),
        ("NY", "New York City", "New York"),
        ("new york new york", "New York City", "New York"),
        ("albany new york", "Albany", "New York"),
        ("chicago illinois", "Chicago", "Illinois"),
        ("portland maine", "Portland", "Maine"),
        ("boston mass", "Boston", "Massachusetts"),
        ("san jose california", "San Jose", "California"),
        ("60601 Chicago", "Chicago", "Illinois"),
        ("Chicago and the zip is 60601", "Chicago", "Illinois"),
        ("Truth or Consequences, NM", "Truth or Consequences", "New Mexico"),
        ("the Bronx", "Bronx", "New York"),
        ("Portland", "Portland", ""),
        ("I'm from Portland, Oregon", "Portland", "Oregon"),
        ("Washington DC", "Washington", "District of Columbia"),
        ("Orange, CA", "Orange", "California"),
        ("Smallville KS", "Smallville", "Kansas"),
        ("my zip code is 60614", "", "Illinois"),
        ("I'm in LA", "Los Angeles", "California"),
        ("Monroe, LA", "Monroe", "Louisiana"),
    ],
)
def test_a_town_tells_its_state_where_only_one_is_meant(message: str, city: str, state: str) -> None:
    told = taken(message, agent=STATES, asked="city")
    assert (told.get("city", ""), told.get("state", "")) == (city, state)


@pytest.mark.parametrize(
    ("message", "address", "city", "state"),
    [
        ("12 Oak Rd, Evanston IL 60201", "12 Oak Rd", "Evanston", "Illinois"),
        ("450 Austin St, Houston TX 77002", "450 Austin St", "Houston", "Texas"),
        ("12 Boston Post Rd, Milford CT 06460", "12 Boston Post Rd", "Milford", "Connecticut"),
        ("12 Oak Rd, Smallville KS 66002", "12 Oak Rd", "Smallville", "Kansas"),
        ("12 Oak Rd, Smallville 66002", "12 Oak Rd", "Smallville", "Kansas"),
        ("12345 Main St, Dallas", "12345 Main St", "Dallas", "Texas"),
    ],
)
def test_a_street_named_like_a_town_is_none(message: str, address: str, city: str, state: str) -> None:
    told = taken(message, agent=STATES)
    assert (told["address"], told["city"], told["state"]) == (address, city, state)


@pytest.mark.parametrize(
    "message",
    [
        "mobile: 512-555-0199",
        "surprise me",
        "reading the label it says normal",
        "Kaylee Jackson wants two",
        "order 60614",
        "60614",
        "what is the price of union members",
        "I love Boston tea",
        "I saw you in the Chicago Tribune",
    ],
)
def test_words_and_persons_are_no_towns(message: str) -> None:
    told = taken(message, agent=STATES)
    assert "city" not in told
    assert "state" not in told


@pytest.mark.parametrize("name", ["Austin", "Madison", "Charlotte", "Tyler", "Warren", "Irving", "Gilbert", "Kent"])
def test_a_person_named_like_a_town_keeps_the_name(name: str) -> None:
    assert taken(name, agent=STATES, asked="first_name") == {"first_name": name}


def test_a_zip_code_that_was_asked_for_tells_the_state() -> None:
    assert taken("60614", agent=WITH_ZIP, asked="zip") == {"zip": "60614", "state": "Illinois"}


def test_a_zip_code_of_elsewhere_tells_nothing_of_a_town() -> None:
    assert taken("Springfield, zip 02139", agent=STATES)["state"] == "Massachusetts"
    assert "state" not in taken("Springfield, zip 99501", agent=STATES)


@pytest.mark.parametrize("message", ["$20000", "order number 90210", "I want 10001 boxes"])
def test_a_number_of_something_else_is_no_zip_code(message: str) -> None:
    assert "zip" not in taken(message, agent=WITH_ZIP)


@pytest.mark.parametrize(
    ("code", "state"),
    [
        ("00501", "New York"),
        ("02139", "Massachusetts"),
        ("20001", "District of Columbia"),
        ("20101", "Virginia"),
        ("73301", "Texas"),
        ("73401", "Oklahoma"),
        ("88510", "Texas"),
        ("99501", "Alaska"),
        ("09001", ""),
        ("00000", ""),
    ],
)
def test_a_zip_code_lies_in_one_state(code: str, state: str) -> None:
    assert [found.value for found in find_zip_states(normalise(f"zip {code}"))] == ([state] if state else [])


def test_a_state_that_is_written_goes_before_the_zip_code() -> None:
    assert taken("Springfield, Ohio, zip 62704", agent=STATES)["state"] == "Ohio"


def test_every_state_of_the_list_is_one_that_messages_can_name() -> None:
    states = {row.split("\t")[1] for row in american_names().rows}
    for state in states:
        assert [each.value for each in find_regions(normalise(f"state: {state}"), country="US")] == [state]


def test_the_region_of_a_town_of_another_country_is_not_american() -> None:
    assert region_of("Austin", "US") == "Texas"
    assert region_of("Austin", "CO") == ""


@pytest.mark.parametrize("raw", [*NASTY, "Springfield, IL " * 6000, "zip " * 25_000, "A b, " * 20_000])
def test_nasty_texts_are_read_in_time(raw: str) -> None:
    text = normalise(raw)
    find_cities(text, country="US")
    started = process_time()
    find_cities(text, country="US")
    find_zip_states(text)
    assert process_time() - started < 0.5
