"""The time that a contact lives by, told by their country: that of the number that they write from, or as they say."""

from collections.abc import Mapping

# Of countries with several zones, that of most people.
ZONES: Mapping[str, str] = {
    "AR": "America/Argentina/Buenos_Aires",
    "BO": "America/La_Paz",
    "BR": "America/Sao_Paulo",
    "CL": "America/Santiago",
    "CO": "America/Bogota",
    "CR": "America/Costa_Rica",
    "CU": "America/Havana",
    "DE": "Europe/Berlin",
    "DO": "America/Santo_Domingo",
    "EC": "America/Guayaquil",
    "ES": "Europe/Madrid",
    "FR": "Europe/Paris",
    "GB": "Europe/London",
    "GT": "America/Guatemala",
    "HN": "America/Tegucigalpa",
    "IT": "Europe/Rome",
    "JP": "Asia/Tokyo",
    "MX": "America/Mexico_City",
    "NI": "America/Managua",
    "PA": "America/Panama",
    "PE": "America/Lima",
    "PR": "America/Puerto_Rico",
    "PT": "Europe/Lisbon",
    "PY": "America/Asuncion",
    "SV": "America/El_Salvador",
    "UY": "America/Montevideo",
    "VE": "America/Caracas",
}


def zone_of_number(number: str) -> str:
    """The time zone of a number written with its country ("+54…"); nothing where that cannot be told."""
    import phonenumbers  # noqa: PLC0415 -- slow to import, and seldom needed

    if not number.startswith("+"):
        return ""
    try:
        country = phonenumbers.region_code_for_number(phonenumbers.parse(number))
    except phonenumbers.NumberParseException:
        return ""
    return ZONES.get(country or "", "")
