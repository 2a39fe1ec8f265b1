"""Every process that reads hostile texts is confined: jobs of each kind, and programs of the
service."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import gevent
import pytest
from escapes import MOST

from codeintel.base.confinement.state import Extent, state
from codeintel.contracts import LanguageDetector, RewriteRequest, Transformation, Unsupported
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.platform.plugins.manager import PluginManager
from codeintel.platform.workers.pool import AnalyzerPool

pytestmark = pytest.mark.skipif(
    state().extent is not Extent.OK, reason="this kernel cannot confine all"
)
HERE = Path(__file__).parent
SECONDS = 120


class Kinds(NamedTuple):
    """A pool whose jobs try to escape, and a secret outside of it."""

    pool: AnalyzerPool
    target: str
    detector: LanguageDetector
    transformation: Transformation


@pytest.fixture(scope="module", params=["auto", "off"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def kinds(mode: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kinds]:
    instance = tmp_path_factory.mktemp("instance")
    (instance / "plugins").mkdir()
    (instance / "plugins/kinds.py").symlink_to(HERE / "kinds_dropin.py")
    secret = instance / "key_pepper"
    secret.write_text("seen-by-nobody")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(HERE))
        config = {"CODEINTEL_CONFINEMENT": mode}
        pool = AnalyzerPool(2, config, instance, ("kinds_dropin:TELL",))
        registry = PluginManager({}, instance).registry
        pool.start()
        yield Kinds(
            pool,
            target(secret),
            registry.detectors["escaping"],
            registry.transformations["escaping"],
        )
        pool.stop()


def target(secret: Path) -> str:
    return f"{os.getpid()}:{secret}"


def check(mode: str, worked: str) -> None:
    """Check that no escape worked. With confinement off, most must work, which proves that they
    were tried."""
    found = {each for each in worked.split(", ") if each}
    assert found >= MOST if mode == "off" else not found, found


def test_detection(kinds: Kinds, mode: str) -> None:
    with gevent.Timeout(SECONDS):
        told = kinds.pool.detect("a", [kinds.detector], kinds.target)
    assert told is not None
    assert told.language == ("escaped" if mode == "off" else "held"), told


def test_a_transformation(kinds: Kinds, mode: str) -> None:
    request = RewriteRequest(code=kinds.target, language="python", target="python", options={})
    with gevent.Timeout(SECONDS), pytest.raises(Unsupported) as told:
        kinds.pool.rewrite("a", kinds.transformation, request)
    check(mode, str(told.value).removeprefix("worked: "))


def test_a_text_function(kinds: Kinds, mode: str) -> None:
    from kinds_dropin import TELL

    with gevent.Timeout(SECONDS):
        [told] = kinds.pool.texts.run("a", TELL, [kinds.target])
    check(mode, told)


def test_verification_and_the_engines_of_sql_in_it(kinds: Kinds, mode: str) -> None:
    comparison = Comparison(before=kinds.target, after="", language="sql", target="sql")
    with gevent.Timeout(SECONDS):
        _, checks = kinds.pool.compare("a", comparison)
    for told in checks[0].evidence.removeprefix("worked: ").split("; in an engine: "):
        check(mode, told)


FORECASTS = """
import json, os, sys
from codeintel.trust.forecasts import child
from escapes import escapes
child.fence(20)
os.write(1, json.dumps(escapes(sys.argv[1])).encode())
"""
RANKS = """
import json, os, sys
from codeintel.trust.network import child
from escapes import escapes
secret, sys.argv = sys.argv[1], ["child", "0", "0", "0"]
child.work_out = lambda *_: os.write(1, json.dumps(escapes(secret)).encode())
child.main()
"""


@pytest.mark.parametrize("program", [FORECASTS, RANKS], ids=["forecasts", "ranks"])
def test_programs_of_the_service(tmp_path: Path, program: str) -> None:
    """Check programs in all modes of `CODEINTEL_CONFINEMENT`, because they need no access."""
    secret = tmp_path / "key_pepper"
    secret.write_text("seen-by-nobody")
    paths = os.pathsep.join([str(HERE), *filter(None, sys.path)])
    ended = subprocess.run(
        [sys.executable, "-c", program, target(secret)],
        env={"PYTHONPATH": paths, "PATH": os.environ["PATH"]},
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    check("auto", json.loads(ended.stdout))
