"""What is wrong with intents, and with the confidence that they need."""

from hilo.agent.checks.place import Place
from hilo.agent.declaration import Intent
from hilo.agent.policies import IntentPolicy

MAX_LABEL = 20  # characters of a WhatsApp button


def check_intents(file: Place) -> None:
    """Answers and tools that are not there, calls that could never be made, bands in the wrong order."""
    agent, bands = file.agent, file.agent.confidence
    if bands:
        ordered = 0 <= bands.clarify <= bands.reanalyse <= bands.proceed <= 100  # noqa: PLR2004 -- per cent
        hint = "0 ≤ clarify ≤ reanalyse ≤ proceed ≤ 100"
        (file / "confidence").require(ordered, "the bands are not in order", hint)
    for name, intent in agent.intents.items():
        here = file / "intents" / name
        here.free(name not in agent.flows, f"a flow is called `{name}`, too")
        taught = intent.examples or intent.like
        hint = "give `examples`, or `like:` a standard intent"
        here.require(taught, f"nothing says what `{name}` is", hint, at_key=True)
        if intent.like:
            (here / "like").like(intent.like)
        (here / "answer").may_say(intent.answer)
        if intent.begins:
            (here / "begins").named("flow", intent.begins)
        if intent.do:
            _call(intent, here)
        else:
            problem = "`arguments` are for the tool of `do`"
            (here / "arguments").require(not intent.arguments, problem, at_key=True)
        if bands:
            _offered(intent, here)


def _call(intent: Intent, here: Place) -> None:
    agent, tool = here.agent, intent.do
    doing = here / "do"
    doing.named("tool", tool)
    spec = agent.toolbox.get(tool)
    if spec is None:
        return
    # an intent runs its tool at once, so there is nobody who could have said yes
    hint = "put it into a flow, after a `confirm`"
    doing.require(not spec.needs_yes, f"{tool} needs a yes, so an intent cannot run it", hint)
    allowed = any(tool in agent.tools_in(mode) for mode in agent.modes or ("",))
    doing.require(allowed, f"no mode allows {tool}", "name it in the `tools` of a mode")
    if not spec.parameters:
        return  # none are known of some tools before they are connected
    for name in intent.arguments:
        (here / "arguments" / name).named(f"parameter of {tool}", name, among=spec.parameters)
    for name, required in spec.parameters.items():
        given = name in {*intent.arguments, *agent.slots} or f"ask.{name}" in agent.templates
        hint = f"a slot of that name, or `arguments: {{{name}: message}}`"
        doing.require(given or not required, f"{tool} needs `{name}`", hint)


def _offered(intent: Intent, here: Place) -> None:
    """An intent is offered on a button where it is not sure; a longer name of a flow makes it a list."""
    length = len(intent.label)
    problem = f"a button has {MAX_LABEL} characters, this has {length}"
    (here / "label").require(length <= MAX_LABEL, problem)
    policies = [each.llm_intent for each in here.agent.escalation if isinstance(each, IntentPolicy)]
    leads = intent.answer or intent.do or here.key in policies
    problem = f"`{here.key}` may be offered, and leads to nothing"
    here.require(leads, problem, "give it an `answer` or a tool to `do`", at_key=True)
