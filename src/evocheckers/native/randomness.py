"""Random numbers without state: a hash of what they are for, so that they do not depend on who asks first."""

from evocheckers.native.compile import inner
from evocheckers.native.intrinsics import u64


@inner
def mix(a: u64, b: u64) -> u64:
    """A 64-bit number that depends on every bit of both."""
    h = u64((a ^ (b * u64(0x9E3779B97F4A7C15))) + u64(0x9E3779B97F4A7C15))
    h = u64((h ^ (h >> u64(30))) * u64(0xBF58476D1CE4E5B9))
    h = u64((h ^ (h >> u64(27))) * u64(0x94D049BB133111EB))
    return u64(h ^ (h >> u64(31)))
