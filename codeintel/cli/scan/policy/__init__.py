"""The policy of a project: its settings, suppressions and known findings, and the verdict."""

from codeintel.cli.scan.policy.judging import Known, judge
from codeintel.cli.scan.policy.layers import load_project
from codeintel.cli.scan.policy.settings import PROJECT_FILE, ProjectConfig, ProjectError

__all__ = ["PROJECT_FILE", "Known", "ProjectConfig", "ProjectError", "judge", "load_project"]
