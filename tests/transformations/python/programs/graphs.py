# ruff: noqa
# fmt: off
from collections import defaultdict, deque
from typing import Dict, List, Set, Tuple, Optional, Union

Edge = Tuple[str, str]


class Graph(object):

    def __init__(self, edges=None):
        # type: (Optional[List[Edge]]) -> None
        self.next = defaultdict(set)  # successors of each node
        if edges is not None:
            for a, b in edges:
                self.add(a, b)

    def add(self, a: str, b: str) -> "Graph":
        self.next[a].add(b)
        return self

    def nodes(self) -> Set[str]:
        found = set([])
        for a in self.next.keys():
            found.add(a)
            for b in self.next[a]:
                found.add(b)
        return found

    def reach(self, start: str) -> List[str]:
        seen = set([start])
        todo = deque([start])
        order = []
        while len(todo) > 0:
            node = todo.popleft()
            order.append(node)
            for other in sorted(list(self.next[node])):
                if not (other in seen):
                    seen.add(other)
                    todo.append(other)
        return order

    def pairs(self):
        for a in sorted(self.next):
            for b in sorted(self.next[a]):
                yield (a, b)

    def all_pairs(self):
        for pair in self.pairs():
            yield pair

    def degree(self) -> Dict[str, int]:
        return dict([(a, len(b)) for a, b in self.next.items()])

    def is_empty(self):
        for a, others in self.next.items():
            if others:
                return False
        return True


def path(graph: Graph, a: str, b: str, seen: Optional[Set[str]] = None) -> Union[List[str], None]:
    if a == b:
        return [a]
    seen = set() if seen is None else seen
    for other in graph.next[a]:
        if other in seen:
            continue
        else:
            rest = path(graph, other, b, seen | {a})
            if rest is not None:
                return [a] + rest
    return None


def check():
    graph = Graph([("a", "b"), ("b", "c"), ("a", "c")])
    assert graph.nodes() == {"a", "b", "c"}
    assert graph.reach("a") == ["a", "b", "c"]
    assert list(graph.all_pairs()) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert graph.degree()["a"] == 2
    assert not graph.is_empty() and Graph().is_empty()
    assert path(graph, "a", "c")[-1] == "c" and path(graph, "c", "a") is None
