"""Which network a scheme evolves, for those of our own schemes that leave the choice.

A network's numbers, except K, begin uniform; their count follows from its kind and the width of its first layer.
"""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from evocheckers.evaluation.dispatch import FORMS, Kind
from evocheckers.evaluation.form import Form
from evocheckers.evolution.scheme import ConfigError, Settings

BRED = tuple(form.name for form in FORMS.values() if form.has_king_value)
"""The kinds to choose from: those with a K, since K is one of the numbers that these schemes change."""
_WIDTHS = [width for form in FORMS.values() if len(form.widths) > 1 for width in form.widths]


def _is_bred(name: str) -> str:
    if name not in BRED:
        raise ValueError(name)
    return name


class BreedSettings(Settings):
    """Our own schemes evolve any of these kinds; the default is the papers' network."""

    network: Annotated[str, AfterValidator(_is_bred), Field(json_schema_extra={"enum": list(BRED)})] = "spatial"
    """Kind of network: the papers' with 5046 numbers (spatial), our own that sees men and kings apart (planes), or the
    papers' without the sum of its inputs at the output (spatial-bare)."""
    width: int | None = Field(None, ge=min(_WIDTHS), le=max(_WIDTHS), multiple_of=_WIDTHS[1] - _WIDTHS[0])
    """Number of nodes in the first layer, for a kind that leaves it open; none means 64."""

    @model_validator(mode="after")
    def _network_fits(self) -> Self:
        if self.width is not None and self.width not in self.form.widths:
            fault = f"a {self.network} network has {self.form.widths[0]} nodes in its first layer"
            raise ConfigError(f"setting width = {self.width}: {fault}", "width", self.width)
        if self.precision != "fp32" and self.kind is Kind.PLANES:
            fault = f"a {self.network} network has one precision, fp32"
            raise ConfigError(f"setting precision = {self.precision!r}: {fault}", "precision", self.precision)
        return self

    @property
    def kind(self) -> Kind:
        """The kind of network."""
        return next(kind for kind, form in FORMS.items() if form.name == self.network)

    @property
    def form(self) -> Form:
        """What all networks of this kind have in common."""
        return FORMS[self.kind]

    @property
    def first_nodes(self) -> int:
        """Number of nodes in the first layer."""
        return self.width or self.form.usual_width

    @property
    def numbers(self) -> int:
        """Number of a network's numbers, without K."""
        return self.form.numbers(self.first_nodes)
