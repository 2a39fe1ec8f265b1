import subprocess


def run_ping(host):
    command = f"ping -c 1 {host}"
    return subprocess.check_output(command, shell=True)
