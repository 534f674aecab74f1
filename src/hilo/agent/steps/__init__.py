"""The kinds of steps that a flow is made of: one module each, found here by itself."""

import pkgutil
from importlib import import_module

from hilo.agent.steps.step import STEPS, AnyStep, Exit, Outcome, Plan, Step, kinds

__all__ = ["KINDS", "STEPS", "AnyStep", "Exit", "Outcome", "Plan", "Step"]

for _module in pkgutil.iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

KINDS = kinds()
