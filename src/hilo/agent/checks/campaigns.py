"""What is wrong with campaigns: templates that nobody has approved, words that no column gives."""

from hilo.agent.campaigns import Campaign
from hilo.agent.checks.place import Place
from hilo.agent.texts import placeholders

MOST_PER_HOUR = 100_000  # WhatsApp's highest limit is that of a day


def check_campaigns(file: Place) -> None:
    """Each campaign by itself."""
    for name, campaign in file.agent.campaigns.items():
        _campaign(campaign, file / "campaigns" / name)


def _campaign(campaign: Campaign, here: Place) -> None:
    agent = here.agent
    (here / "flow").named("flow", campaign.flow)
    (here / "into").named("slot", *campaign.into.values())
    fitting = 1 <= campaign.per_hour <= MOST_PER_HOUR
    (here / "per_hour").require(fitting, f"`per_hour` is from 1 to {MOST_PER_HOUR}")
    (here / "to").require(campaign.to.strip(), "a list needs a column with the number", "to: phone")
    into_number = campaign.to in campaign.into
    (here / "into").require(not into_number, f"`{campaign.to}` is the column with the number", "leave it out")
    if campaign.asks:
        collects = agent.flows[campaign.flow].collects if campaign.flow in agent.flows else ()
        (here / "asks").named(f"slot of the flow {campaign.flow}", campaign.asks, among=collects)
        given = campaign.asks in campaign.into.values()
        (here / "asks").require(not given, f"`{campaign.asks}` comes from the list already")
    _template(campaign, here)


def _template(campaign: Campaign, here: Place) -> None:
    """Outside of the window nothing goes out but an approved template, each of whose places needs a value."""
    agent = here.agent
    template = agent.templates.get(campaign.template)
    if template is None:
        (here / "template").unknown("template", campaign.template, agent.templates)
        return
    hint = f"templates: {{{campaign.template}: {{text: …, wa_template: NAME}}}}"
    problem = f"WhatsApp has not approved `{campaign.template}`: nobody can be written to first with it"
    (here / "template").require(template.wa_template, problem, hint)
    spoken_of = placeholders(template) & agent.slots.keys()
    if campaign.into:
        for slot in sorted(spoken_of - set(campaign.into.values())):
            problem = f"`{campaign.template}` speaks of `{slot}`, which no column gives"
            (here / "into").problem(problem, f"into: {{COLUMN: {slot}}}")
