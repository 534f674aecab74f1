"""How sure a ranking is: a logistic calibrator on six signs, fitted to what the examples themselves show.

Two kinds of rows teach it, both in closed form from the inverse A = (K + λI)⁻¹ and α = AY of the kernel ridge:
each example left out on its own (is the top intent the right one?), and each intent left out as a whole, whose
examples then stand for messages that are out of scope.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Places = NDArray[np.int64]

TEMPERATURE = 0.15  # spreads ridge scores, which lie in 0…1, over the range of a softmax
TRUST = 10.0  # how firmly the habit below holds against an agent's own rows, which judge varied examples too harshly

# What the signs are worth before an agent's own examples speak: bias last. Fitted once over many small agents.
HABIT = np.array([-0.8, 10.5, 9.2, 4.1, -2.1, 1.7, -5.6])
HABIT_OF_WORDING = np.array([-0.2, 12.3, 6.1, 0.8, -0.1, -2.2, -3.7])

_ABSENT = -9.0  # below any score or similarity, so it is never a maximum


@dataclass(frozen=True, slots=True)
class Ridge:
    """A solved kernel ridge: likeness K of all rows, inverse A, weights α = AY; the first `count` rows are examples."""

    likeness: Array
    inverse: Array
    weights: Array
    owners: Places
    count: int

    @property
    def intents(self) -> int:
        """How many intents there are."""
        return int(self.weights.shape[1])


def signs(scores: Array, likeness: Array, owners: Places) -> Array:
    """Six signs a row: softmax logit, top score, margin, nearest example, three nearest, nearest of the top intent."""
    rows = np.arange(len(scores))
    top = scores.argmax(axis=1)
    best = scores[rows, top]
    others = scores.copy()
    others[rows, top] = _ABSENT
    rivals = np.exp((others - best[:, None]) / TEMPERATURE).sum(axis=1)
    logit = -np.log(rivals + np.exp(-best / TEMPERATURE))  # out of scope is a rival whose score is 0
    margin = best - np.maximum(others.max(axis=1), 0.0)
    own = np.where(owners == top[:, None], likeness, 0.0).max(axis=1)
    three = _three_nearest(likeness)
    return np.stack([logit, best, margin, three[:, -1], three.mean(axis=1), np.maximum(own, 0.0)], axis=1)


def _three_nearest(likeness: Array) -> Array:
    count = likeness.shape[1]
    if count > 3:  # noqa: PLR2004
        likeness = np.partition(likeness, count - 3, axis=1)[:, -3:]
    return np.maximum(np.sort(likeness, axis=1), 0.0)


def left_out_scores(ridge: Ridge) -> Array:
    """The scores each example would get had it not been learnt: fᵢ = Yᵢ − αᵢ / Aᵢᵢ."""
    rows = slice(ridge.count)
    said = np.eye(ridge.intents)[ridge.owners[rows]]
    left_out: Array = said - ridge.weights[rows] / np.diag(ridge.inverse)[rows, None]
    return left_out


def calibrate(ridge: Ridge, habit: Array, oos_prior: float) -> Array:
    """The weights of the six signs and the bias for this agent."""
    if ridge.intents < 2 or ridge.count < 2:  # noqa: PLR2004 (nothing to leave out: only habit is left)
        return habit
    inside, right = _example_rows(ridge)
    outside = _intent_rows(ridge)
    rows = np.concatenate([inside, outside])
    share = np.concatenate(
        [np.full(len(inside), (1 - oos_prior) / len(inside)), np.full(len(outside), oos_prior / len(outside))]
    )
    return _fit(rows, np.concatenate([right, np.zeros(len(outside))]), share * len(rows), habit=habit)


def sureness(evidence: Array, calibration: Array) -> Array:
    """The probability, for each row of signs, that its top intent is right and in scope."""
    return _logistic(evidence @ calibration[:-1] + calibration[-1])


def _example_rows(ridge: Ridge) -> tuple[Array, Array]:
    owners = ridge.owners[: ridge.count]
    scores = left_out_scores(ridge)
    likeness = ridge.likeness[: ridge.count, : ridge.count].copy()
    np.fill_diagonal(likeness, 0.0)
    right = (scores.argmax(axis=1) == owners).astype(np.float64)
    return signs(scores, likeness, owners), right


def _intent_rows(ridge: Ridge) -> Array:
    """Each intent's examples as strangers to the rest: f_g = Y_g − A_gg⁻¹ α_g."""
    owners = ridge.owners[: ridge.count]
    rows = []
    for intent in range(ridge.intents):
        members = np.flatnonzero(ridge.owners == intent)
        block = ridge.inverse[np.ix_(members, members)]
        scores = -np.linalg.solve(block, ridge.weights[members])[members < ridge.count].astype(np.float64)
        scores[:, intent] = _ABSENT
        likeness = ridge.likeness[members[members < ridge.count], : ridge.count]
        rows.append(signs(scores, np.where(owners == intent, 0.0, likeness), owners))
    return np.concatenate(rows)


def _fit(rows: Array, truth: Array, share: Array, *, habit: Array) -> Array:
    """Newton's method on the logistic loss, drawn towards habit; a step that makes it worse is halved."""
    rows = np.column_stack([rows, np.ones(len(rows))])
    found = habit
    loss = _loss(found, rows, truth, share=share, habit=habit)
    for _ in range(50):
        chance = _logistic(rows @ found)
        slope = rows.T @ (share * (chance - truth)) + TRUST * (found - habit)
        curve = (rows * (share * chance * (1 - chance))[:, None]).T @ rows + TRUST * np.eye(len(habit))
        step = np.linalg.solve(curve, slope)
        while (new := _loss(found - step, rows, truth, share=share, habit=habit)) > loss and np.abs(step).max() > 1e-9:  # noqa: PLR2004
            step = step / 2
        if loss - new < 1e-9:  # noqa: PLR2004
            break
        found, loss = found - step, new
    return found


def _loss(weights: Array, rows: Array, truth: Array, *, share: Array, habit: Array) -> float:
    sums = rows @ weights
    return float(share @ (np.logaddexp(0.0, sums) - truth * sums) + TRUST / 2 * np.sum((weights - habit) ** 2))


def _logistic(sums: Array) -> Array:
    return 1 / (1 + np.exp(-np.clip(sums, -30.0, 30.0)))
