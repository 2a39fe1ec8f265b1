"""The policy of a project: its settings, suppressions and known findings, and the verdict."""

from codeintel.cli.scan.policy.base_commit import BaseCommit, BasePlan, plan_base, texts_of
from codeintel.cli.scan.policy.baseline import (
    Baseline,
    Terms,
    read_baseline,
    update_baseline,
)
from codeintel.cli.scan.policy.judging import Known, judge
from codeintel.cli.scan.policy.layers import load_project
from codeintel.cli.scan.policy.settings import (
    BASELINE_FILE,
    PROJECT_FILE,
    ProjectConfig,
    ProjectError,
)

__all__ = [
    "BASELINE_FILE",
    "PROJECT_FILE",
    "BaseCommit",
    "BasePlan",
    "Baseline",
    "Known",
    "ProjectConfig",
    "ProjectError",
    "Terms",
    "judge",
    "load_project",
    "plan_base",
    "read_baseline",
    "texts_of",
    "update_baseline",
]
