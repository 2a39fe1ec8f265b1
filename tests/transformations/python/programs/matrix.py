# ruff: noqa
# fmt: off
import itertools
import operator
from functools import reduce
from fractions import Fraction
import copy


class Matrix:
    def __init__(self, rows):
        self.rows = list([list(row) for row in rows])

    @property
    def shape(self):
        return (len(self.rows), len(self.rows[0]))

    def __mul__(self, other):
        if isinstance(other, int) or isinstance(other, float) or isinstance(other, Fraction):
            return Matrix([[x * other for x in row] for row in self.rows])
        result = []
        for row in self.rows:
            line = []
            for column in zip(*other.rows):
                line.append(sum([a * b for a, b in zip(row, column)]))
            result.append(line)
        return Matrix(result)

    def transposed(self):
        return Matrix(list(map(lambda column: list(column), zip(*self.rows))))

    def is_square(self):
        if self.shape[0] != self.shape[1]:
            return False
        return True

    def is_symmetric(self):
        for i in range(0, self.shape[0]):
            for j in range(0, i):
                if self.rows[i][j] != self.rows[j][i]:
                    return False
        return True

    def diagonal(self):
        return dict((i, self.rows[i][i]) for i in range(0, min(self.shape)))

    def __str__(self):
        lines = []
        for row in self.rows:
            lines.append(' '.join(['%.2f' % float(x) for x in row]))
        return '\n'.join(lines)

    def nonzero(self):
        found = set()
        for i, row in enumerate(self.rows):
            for j, x in enumerate(row):
                if x:
                    if i != j:
                        found.add((i, j))
        return found

    def clone(self):
        other = copy.deepcopy(self)
        return other


def product(values):
    return reduce(operator.mul, values, 1)


def flat(groups):
    out = []
    for value in itertools.chain(*groups):
        out.append(value)
    return out


def check():
    m = Matrix([[1, 2], [3, 4]])
    assert (m * m).rows == [[7, 10], [15, 22]] and (m * 2).rows == [[2, 4], [6, 8]]
    assert (m * Fraction(1, 2)).rows[0][0] == Fraction(1, 2)
    assert m.transposed().rows == [[1, 3], [2, 4]]
    assert m.is_square() and not m.is_symmetric() and Matrix([[1, 2]]).is_square() is False
    assert Matrix([[1, 2], [2, 1]]).is_symmetric()
    assert m.diagonal() == {0: 1, 1: 4}
    assert str(m) == "1.00 2.00\n3.00 4.00"
    assert m.nonzero() == {(0, 1), (1, 0)}
    assert m.clone().rows == m.rows and m.clone() is not m
    assert product([2, 3]) == 6 and flat([[1], [2, 3]]) == [1, 2, 3]
