"""Train a PyTorch network on the positions of a recorded run, and let it play at full speed.

``python train_torch.py RUN OUT.safetensors``. Every quiet position of every game is labelled with how the game ended
for the side to move. The network has the layers of our kind ``planes``, so it can be turned into a ``Network``.
"""

import sys

import numpy as np
import torch
from torch import nn

from evocheckers import Leaf, Network, Run, SearchRules, labels_of, match, planes_of, positions_of

WIDTH, KING_VALUE = 64, 1.5
WORTH = torch.tensor([1.0, KING_VALUE, -1.0, -KING_VALUE])


class Planes(nn.Module):
    """Own men, own kings, opposing men, opposing kings: 128 inputs, two clipped layers, and the piece count."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second, self.output = nn.Linear(128, WIDTH), nn.Linear(WIDTH, 32), nn.Linear(32, 1)

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        """Values in men, to the side to move."""
        hidden = self.first(planes.flatten(1)).clamp(0, 1)
        return self.output(self.second(hidden).clamp(0, 1))[:, 0] + planes.sum(2) @ WORTH

    def network(self) -> Network:
        """The same network as numbers; weights are rounded to the steps that ``networks/planes`` gives."""
        layers: dict[str, np.ndarray] = {}
        for name, layer in (("first", self.first), ("second", self.second)):
            layers[f"{name}_weights"] = layer.weight.detach().numpy().T
            layers[f"{name}_biases"] = layer.bias.detach().numpy()
        layers["output_weights"] = self.output.weight.detach().numpy()[0]
        layers["output_bias"] = self.output.bias.detach().numpy()
        rules = SearchRules(leaf=Leaf.MOVER, extensions=0)
        return Network.from_layers("planes", layers, king_value=KING_VALUE, rules=rules)


def recorded_positions(path: str) -> np.ndarray:
    """The quiet positions of all games of a run."""
    with Run.open(path) as run:
        return np.concatenate([positions_of(run.games(number).results) for number in range(1, run.generation + 1)])


def train(positions: np.ndarray, epochs: int = 3) -> Planes:
    """Fit results by the logistic loss, on a scale that is learnt too: how much of a win a man is."""
    torch.manual_seed(1)
    model, scale = Planes(), nn.Parameter(torch.tensor(0.5))
    planes, labels = torch.from_numpy(planes_of(positions)), torch.from_numpy(labels_of(positions))
    optimizer, loss = torch.optim.Adam([*model.parameters(), scale], 3e-3), nn.BCEWithLogitsLoss()
    for epoch in range(epochs):
        order, losses = torch.randperm(len(positions)), []
        for batch in order.split(4096):
            optimizer.zero_grad()
            error = loss(scale * model(planes[batch]), labels[batch])
            error.backward()
            optimizer.step()
            losses.append(error.item())
        print(f"epoch {epoch + 1}: loss {np.mean(losses):.4f}")
    return model


def main(path: str, out: str) -> None:
    """Train, write the network, and measure it."""
    positions = recorded_positions(path)
    print(f"{len(positions)} positions")
    network = train(positions).network()
    network.save(out)
    print(f"against piece counting at 4 plies: {match(network, 'material:noise@4')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
