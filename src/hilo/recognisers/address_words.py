"""The words that addresses are made of, in folded letters; most of them are data in packs."""

import re

from hilo.packs.pack import word_set_of
from hilo.recognisers.phrases import word_set

GRID = word_set_of("streets: grid")  # streets that have numbers for names: calle 10 # 43-12
GRID_ONLY = word_set_of("streets: grid only")  # short for numbered streets only, and other words besides
STREETS = GRID | word_set_of("streets: more")
PLAIN_STREETS = word_set_of("streets: plain")  # these begin an address even without a number
DOUBTFUL = word_set_of("streets: doubtful")  # other words as often: they need a number, and no small word after them
ENGLISH_STREETS = word_set_of("streets: english")
ENGLISH_ROADS = word_set_of("streets: english roads")  # those that may have a number for a name: 45 County Road 12
QUADRANTS = word_set_of("streets: quadrants")
AREAS = word_set_of("streets: areas")
COUNTRYSIDE = word_set_of("streets: countryside")
UNITS = word_set_of("streets: units")
ALONE_UNITS = word_set_of("streets: units alone")
LODGINGS = word_set_of("streets: lodgings")
BETWEEN = word_set_of("streets: between")
BESIDE = word_set_of("streets: beside")
COLOURS = word_set_of("streets: colours")
STOPS = word_set_of("streets: stops")  # no name of a street goes on over these
LEADS = word_set_of("streets: leads")  # what leads to an address
NO_STREETS = word_set_of("streets: no numbers")  # a number after these is no house number
UNITS_OF_MEASURE = word_set_of("streets: measures")
MARKS = word_set("# no n nro num numero nr ° º o al altura")  # signs, too, which packs have not
NUMBER_MARKS = word_set("# no nro num numero n")
MONTHS = word_set("enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre")
# … and a verb that sends what was named: mandalas, envíenmelo, traérselos, me lo mandás
SENDS = re.compile(r"(?:mand|envi|llev|trae|traig|entreg|alcanz|acerc|despach|dej)(?:\w*l[oa]s?|[ae][sn]|s|n)")
