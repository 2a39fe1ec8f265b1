"""Tests that every plugin of a type should pass. Subclass them in a plugin's test suite.

They need pytest. A suite for an analyzer::

    from codeintel.testing import AnalyzerContract

    class TestMine(AnalyzerContract):
        analyzer = MyAnalyzer()
        bad_code = "eval(input())"
        language = "python"
"""

from codeintel.testing.analyzers import AnalyzerContract
from codeintel.testing.collectors import CollectorContract
from codeintel.testing.detectors import DetectorContract
from codeintel.testing.engines import EngineContract, RecordingContext
from codeintel.testing.sources import SourceContract
from codeintel.testing.transformations import TransformationContract

__all__ = [
    "AnalyzerContract",
    "CollectorContract",
    "DetectorContract",
    "EngineContract",
    "RecordingContext",
    "SourceContract",
    "TransformationContract",
]
