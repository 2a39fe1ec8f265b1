"""A drop-in plugin whose runs take as long as the prompt says."""

SLOW_ENGINE = '''
import gevent
from codeintel import hookimpl
from codeintel.contracts import AnalysisResult, Engine, Usage

class Slow(Engine):
    """Sends a word each 50 ms for as many seconds as the prompt says."""
    name = "slow"
    preference = 100

    def available(self, kind, model):
        return True

    def analyze(self, task, context):
        for _ in range(int(float(task.prompt or 1) * 20)):
            context.output("word ")
            gevent.sleep(0.05)
        result = AnalysisResult(language=task.language, engine=self.name, summary="",
                                findings=(), metrics={}, analyzers=())
        return result, Usage(input_characters=len(task.code))

@hookimpl
def register_engines(register, config):
    register(Slow())
'''
