"""A deleted database in a reference API that runs in a container."""

import json
import secrets
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

DATABASES = "/v1/organizations/acme/databases"
FIVE_DAYS = 5 * 86_400


@dataclass
class Platform:
    url: str
    key: str
    token: str = ""

    def send(self, method: str, path: str, body: object = None, token: str | None = None) -> Any:
        """Sends a request with a token. The platform's own routes, under /_reference/, require the key."""
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token or self.token}", "Reference-Key": self.key},
        )
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def query(self, database_id: str, token: str, *statements: str) -> list[list[list[Any]]]:
        """Runs statements in a database, and returns the rows of each."""
        requests = [{"type": "execute", "stmt": {"sql": sql}} for sql in statements]
        answer = self.send("POST", f"/sql/{database_id}/v2/pipeline", {"requests": requests}, token)
        results = [result["response"]["result"] for result in answer["results"]]
        return [[[value["value"] for value in row] for row in result["rows"]] for result in results]


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    key = secrets.token_urlsafe(16)
    container = (
        DockerContainer("dbplatform-api")
        .with_env("DBPLATFORM_REFERENCE_KEY", key)
        .with_exposed_ports(8080)
        .waiting_for(HttpWaitStrategy(8080, "/_reference/health"))
    )
    with container:
        url = f"http://{container.get_container_host_ip()}:{container.get_exposed_port(8080)}"
        started = Platform(url, key)
        started.token = started.send("POST", "/_reference/tokens")["token"]
        yield started


def test_deleted_database_comes_back_with_its_rows_within_five_days(platform: Platform) -> None:
    organization = platform.send("GET", "/_reference/organizations")["organizations"][0]["id"]
    database = platform.send("POST", DATABASES, {"name": "orders", "group": "default"})["database"]["DbId"]
    token = platform.send("POST", f"{DATABASES}/orders/auth/tokens")["jwt"]
    platform.query(database, token, "create table items (name text)", "insert into items values ('tea')")

    restore = f"/v3/organizations/{organization}/databases/{database}/restore"
    platform.send("DELETE", f"{DATABASES}/orders")
    platform.send("POST", restore)
    assert platform.query(database, token, "select name from items") == [[["tea"]]]

    platform.send("DELETE", f"{DATABASES}/orders")
    platform.send("POST", "/_reference/clock/advance", {"seconds": FIVE_DAYS + 1})
    with pytest.raises(urllib.error.HTTPError, match="404"):
        platform.send("POST", restore)
