"""Which network a scheme breeds, for those of our own schemes that leave the choice.

A network's numbers begin uniform, K apart; its kind and the width of its first layer say how many they are.
"""

from typing import Annotated, Self

from pydantic import AfterValidator, Field, model_validator

from evocheckers.evaluation.dispatch import FORMS, Kind
from evocheckers.evaluation.form import Form
from evocheckers.evolution.scheme import ConfigError, Settings

BRED = tuple(form.name for form in FORMS.values() if form.has_king_value)
"""The kinds to choose from: K is one of the numbers that these schemes change."""
_WIDTHS = [width for form in FORMS.values() if len(form.widths) > 1 for width in form.widths]


def _is_bred(name: str) -> str:
    if name not in BRED:
        raise ValueError(name)
    return name


class BreedSettings(Settings):
    """Our own schemes breed either kind; the default is the one of the papers."""

    network: Annotated[str, AfterValidator(_is_bred), Field(json_schema_extra={"enum": list(BRED)})] = "spatial"
    """The kind of network: the papers' 5046 numbers, one of our own that sees men and kings apart (planes), or the
    papers' without the sum of its inputs at the output (spatial-bare)."""
    width: int | None = Field(None, ge=min(_WIDTHS), le=max(_WIDTHS), multiple_of=_WIDTHS[1] - _WIDTHS[0])
    """Nodes of the first layer, for a kind that leaves it open; none: 64."""

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
        """What its networks have in common."""
        return FORMS[self.kind]

    @property
    def first_nodes(self) -> int:
        """Nodes of the first layer."""
        return self.width or self.form.usual_width

    @property
    def numbers(self) -> int:
        """How many numbers a network has, without K."""
        return self.form.numbers(self.first_nodes)
