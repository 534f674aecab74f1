"""The tables by which the dialogue acts leave nothing out."""

from typing import get_args

from hilo.agent.flow import Leads
from hilo.agent.instructions import Instruction
from hilo.agent.policies import AnyPolicy
from hilo.dialogue.apply_commands import ANSWERED
from hilo.dialogue.commands import Affirm
from hilo.dialogue.escalation import REASONS
from hilo.dialogue.flow import DOES, WHERE
from hilo.dialogue.session import AskedArgument, AskedSlot, Pending, Waiting


def test_every_instruction_does_something() -> None:
    assert set(DOES) == set(get_args(Instruction))


def test_every_edge_leads_somewhere() -> None:
    assert set(WHERE) == set(get_args(Leads))


def test_every_policy_has_its_reason() -> None:
    assert set(REASONS) == set(get_args(AnyPolicy))


def test_a_yes_answers_every_question_but_those_for_a_value() -> None:
    answered = {question for question, answer in ANSWERED if answer is Affirm}
    assert answered == set(get_args(Pending)) - {AskedSlot, AskedArgument, Waiting}
