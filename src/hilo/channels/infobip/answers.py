"""What Infobip's answer to a send means."""

from collections.abc import Iterator

from hilo.channels.bodies import Json, at, object_at, objects_at, text_at
from hilo.channels.channel import CredentialsRefused, Outcome, Rejected, Sent, TryLater, Unknown
from hilo.channels.infobip.reading import MAX_NAME, WINDOW_CLOSED, group_of, is_window_closed, reason_of
from hilo.channels.posting import Answer

ALREADY_TAKEN = "REJECTED_DUPLICATE_MESSAGE_ID"
NOT_OUR_FAULT = 500


def outcome_of(answer: Answer, part_id: str) -> Outcome:
    """The outcome of one request; HTTP 200 may carry a rejection."""
    match answer.status:
        case 200 | 201 | 202:
            return _accepted(answer.json, part_id)
        case 401 | 403:
            return CredentialsRefused(f"Infobip does not accept our API key for this sender (HTTP {answer.status})")
        case 429:
            return TryLater("Infobip asks us to slow down (HTTP 429)", after=answer.retry_after)
        case 408:
            return TryLater("Infobip did not read the request in time (HTTP 408)", after=answer.retry_after)
        case status if status >= NOT_OUR_FAULT:
            return TryLater(f"Infobip is not well (HTTP {status})", after=answer.retry_after, away=True)
        case status:
            return Rejected(f"{_complaint(answer.json)} (HTTP {status})", window_closed=_tells_of_window(answer.json))


def _accepted(answer: Json, part_id: str) -> Outcome:
    result = next(iter(objects_at(answer, "messages")), answer)
    status = object_at(result, "status")
    match group_of(status):
        case "pending" | "delivered":
            given = text_at(result, "messageId")
            return Sent("" if given == part_id else given)
        case "failed" if text_at(status, "name") == ALREADY_TAKEN:
            return Sent()  # an earlier attempt did arrive: only its answer was lost
        case "failed":
            return Rejected(reason_of(result), window_closed=is_window_closed(result))
    return Unknown("Infobip answered 200 with a status that we do not know")


def _complaint(answer: Json) -> str:
    """The words of an error, in its older or its newer envelope."""
    old = object_at(answer, "requestError", "serviceException")
    words = text_at(old, "text") or text_at(answer, "description") or "Infobip refused the message"
    details = "; ".join(filter(str.strip, (*_old_details(old), *_new_details(answer))))
    return f"{words}: {details}"[:MAX_NAME] if details else words[:MAX_NAME]


def _old_details(exception: Json) -> Iterator[str]:
    for name, complaints in object_at(exception, "validationErrors").items():
        if isinstance(complaints, list):
            yield f"{name} {', '.join(each for each in complaints if isinstance(each, str))}"


def _new_details(answer: Json) -> Iterator[str]:
    for each in objects_at(answer, "violations"):
        yield f"{text_at(each, 'property')} {text_at(each, 'violation')}"


def _tells_of_window(answer: Json) -> bool:
    codes = (at(answer, "requestError", "serviceException", "messageId"), at(answer, "errorCode"))
    return any(str(code).removeprefix("E") == str(WINDOW_CLOSED) for code in codes)
