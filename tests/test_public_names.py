import subprocess
import sys

import evocheckers
from tools.site.python import homes


def test_every_public_name_is_there():
    for name in homes():
        assert getattr(evocheckers, name) is not None


def test_dir_shows_the_public_names_and_nothing_else():
    assert sorted(homes()) == sorted(name for name in dir(evocheckers) if name != "__version__")


def test_importing_the_package_loads_none_of_it():
    code = "import sys, evocheckers; print(sum(name.startswith('evocheckers') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= 2
