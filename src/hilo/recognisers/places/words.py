"""Words that tell places from other words, in folded letters; most of them are data in packs."""

from hilo.packs.pack import shared_meanings, word_set_of

BEFORE_A_PLACE = word_set_of("towns: before")  # a place follows these, whatever else the word may mean
BEFORE_MUCH = word_set_of("towns: before much")  # a place often follows these, and much else does
TRAVEL = word_set_of("towns: travel")  # words that make a place of what follows the next "a", "de" or "para"
BEFORE_NO_CITY = word_set_of("towns: before none")  # what follows these is a street, a quarter or a shop, no city
NAMING = word_set_of("towns: before names")
BEFORE_A_REGION = word_set_of("towns: before regions")
AFTER_A_CITY = word_set_of("towns: after")
EVERYDAY = word_set_of("towns: everyday")  # towns that are words: only after a sure sign and with a capital letter
ORDINARY = EVERYDAY | word_set_of("towns: ordinary")  # … that are persons, families or things: surer signs are needed
CODE_WORDS = word_set_of("towns: no codes")  # three letters that are words before they are airports
KNOWN_CODES = word_set_of("towns: codes")  # airports that people write by their code, in small letters too
NO_TYPO = word_set_of("towns: no typo")  # words of their own, one letter away from a city
COUNTRY_NAMES = {name: code.upper() for name, (code,) in shared_meanings("countries").items()}
# names of towns that people mean as countries and states
NO_CITIES = frozenset(COUNTRY_NAMES) | word_set_of("towns: none") | {"la puerta"}
SPELLED_OUT = {short: word for short, (word,) in shared_meanings("towns: short").items()}
REGION_NAMES = {
    "valle": "Valle del Cauca", "edomex": "Estado de México", "edo mex": "Estado de México",
    "edo de mexico": "Estado de México",
    "nl": "Nuevo León", "jal": "Jalisco", "ver": "Veracruz", "slp": "San Luis Potosí", "bc": "Baja California",
    "bcs": "Baja California Sur", "q roo": "Quintana Roo", "pba": "Buenos Aires", "bs as": "Buenos Aires",
    "provincia de buenos aires": "Buenos Aires", "gto": "Guanajuato", "mich": "Michoacán", "pue": "Puebla",
    "nds": "Norte de Santander", "n de santander": "Norte de Santander", "rm": "Región Metropolitana",
    "cataluna": "Barcelona", "andalucia": "Andalucía", "guajira": "La Guajira", "araucania": "La Araucanía",
    "bio bio": "Biobío", "metropolitana": "Región Metropolitana",
}  # fmt: skip
