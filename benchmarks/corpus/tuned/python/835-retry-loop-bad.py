import time
import logging

import requests

log = logging.getLogger(__name__)


def wait_for(url: str, attempts: int = 5) -> bool:
    tries = 0
    while tries < attempts:
        try:
            answer = requests.get(url, timeout=3)
            if answer.status_code == 200:
                return True
        except requests.RequestException:
            log.info("not up yet")
        time.sleep(1)
        attempts + 1
    return False


if __name__ == "__main__":
    print(wait_for("http://127.0.0.1:8000/health"))
