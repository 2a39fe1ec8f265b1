import subprocess


def run_ping(host):
    return subprocess.check_output(["ping", "-c", "1", "--", host])
