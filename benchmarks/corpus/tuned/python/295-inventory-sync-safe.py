"""Copies the machine inventory from the data centre's API into a CSV file."""
import csv
import os
import sys

import requests

FIELDS = ("hostname", "rack", "serial")


class InventoryClient:
    def __init__(self, base_url, token, ca_bundle=None):
        self.base_url = base_url.rstrip("/")
        self.http = requests.Session()
        self.http.headers["Authorization"] = f"Bearer {token}"
        self.http.verify = ca_bundle or True

    def machines(self):
        page = 1
        while page is not None:
            answer = self.http.get(
                f"{self.base_url}/machines", params={"page": page}, timeout=15
            )
            answer.raise_for_status()
            body = answer.json()
            yield from body["items"]
            page = body.get("next_page")


def main():
    client = InventoryClient(
        os.environ["INVENTORY_URL"],
        os.environ["INVENTORY_TOKEN"],
        ca_bundle=os.environ.get("INVENTORY_CA"),
    )
    writer = csv.DictWriter(sys.stdout, FIELDS, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(client.machines())


if __name__ == "__main__":
    main()
