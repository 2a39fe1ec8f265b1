"""`codeintel doctor`: Redis."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

import pytest
import redis
from doctor_scenes import Scene
from servers import RedisServer, running

from codeintel.operations.doctor import redis_server
from codeintel.operations.doctor.redis_server import look_at_redis


@pytest.fixture(scope="module")
def changeable() -> Iterator[RedisServer]:
    """Return a Redis server whose settings tests change."""
    server = RedisServer()
    with running(server):
        yield server


@pytest.fixture
def client(changeable: RedisServer) -> Iterator[redis.Redis]:
    """Set as it should be."""
    with redis.Redis.from_url(changeable.url) as made:
        made.config_set("save", "3600 1")
        made.config_set("maxmemory", "0")
        made.config_set("maxmemory-policy", "noeviction")
        made.replicaof("NO", "ONE")
        yield made


@pytest.fixture
def scene(scene: Scene, changeable: RedisServer) -> Scene:
    """Return an installation with that Redis server."""
    scene.environ = {"REDIS_URL": changeable.url}
    return scene


def test_a_good_one(scene: Scene, client: redis.Redis) -> None:
    found = scene.look(look_at_redis)
    assert not found.bad, client.info()
    assert {each.check for each in found} == {
        redis_server.CONNECTION,
        redis_server.SPEED,
        redis_server.MEMORY,
        redis_server.EVICTION,
        redis_server.PERSISTENCE,
        redis_server.CLOCK,
    }


@pytest.mark.parametrize(
    ("change", "bad"),
    [
        ({"maxmemory-policy": "allkeys-lru"}, {redis_server.EVICTION: "warning"}),
        (
            {"maxmemory-policy": "allkeys-lru", "maxmemory": "100mb"},
            {redis_server.EVICTION: "error"},
        ),
        ({"maxmemory": "100mb"}, {}),
        ({"maxmemory": "500kb"}, {redis_server.MEMORY: "warning"}),
    ],
)
def test_what_is_set_wrong(
    scene: Scene, client: redis.Redis, change: dict[str, str], bad: dict[str, str]
) -> None:
    for name, value in change.items():
        client.config_set(name, value)
    assert scene.look(look_at_redis).bad == bad


def test_it_need_not_keep_anything(scene: Scene, client: redis.Redis) -> None:
    """Check that the recommended settings of deploy/README.md are accepted, with a note about
    the effect."""
    client.config_set("save", "")
    found = scene.look(look_at_redis)
    assert not found.bad
    assert "After a restart, limits are reset" in found[redis_server.PERSISTENCE].found


def test_a_replica(scene: Scene, client: redis.Redis) -> None:
    client.replicaof("127.0.0.1", "1")
    assert scene.look(look_at_redis).bad[redis_server.CONNECTION] == "error"


def test_a_disk_that_refuses(scene: Scene, client: redis.Redis, changeable: RedisServer) -> None:
    (changeable.folder / "dump.rdb").mkdir(exist_ok=True)  # in the way of the snapshot
    with suppress(redis.ResponseError):
        client.bgsave()
    for _ in range(200):
        if client.info()["rdb_last_bgsave_status"] == "err":
            break
        time.sleep(0.02)
    assert scene.look(look_at_redis).bad == {redis_server.PERSISTENCE: "error"}
    (changeable.folder / "dump.rdb").rmdir()
    client.save()


def test_a_user_who_may_hardly_do_anything(
    scene: Scene, client: redis.Redis, changeable: RedisServer
) -> None:
    client.acl_setuser("weak", enabled=True, passwords=["+canary-canary"], commands=["+ping"])
    scene.environ["REDIS_URL"] = f"redis://weak:canary-canary@127.0.0.1:{changeable.port}/0"
    found = scene.look(look_at_redis)
    assert found.bad == {redis_server.CONNECTION: "warning"}
    assert "INFO" in found[redis_server.CONNECTION].found
    assert "canary" not in str(found)


def test_a_wrong_password(scene: Scene, changeable: RedisServer) -> None:
    scene.environ["REDIS_URL"] = f"redis://nobody:canary-canary@127.0.0.1:{changeable.port}/0"
    found = scene.look(look_at_redis)
    assert found.bad == {redis_server.CONNECTION: "error"}
    assert "canary" not in str(found)


def test_one_that_hangs(scene: Scene, own_redis: RedisServer) -> None:
    scene.environ["REDIS_URL"] = own_redis.url
    own_redis.hang()
    assert scene.look(look_at_redis).bad == {redis_server.CONNECTION: "error"}
    own_redis.resume()


def test_one_that_is_dead_or_not_wanted(scene: Scene) -> None:
    scene.environ["REDIS_URL"] = "redis://127.0.0.1:1/0"
    assert scene.look(look_at_redis).bad == {redis_server.CONNECTION: "error"}
    scene.environ = {}
    assert scene.look(look_at_redis).status(redis_server.CONNECTION) == "skipped"
