"""The ways of values through Ruby, where a method's last value is what it gives."""

from __future__ import annotations

import pytest
from codeintel_plugins.taint import TaintAnalyzer

from codeintel.contracts import AnalyzerRequest, Finding, Model, Reported

CONTROLLER = """\
class RunsController < ApplicationController
  ALLOWED = %w[a b].freeze
  TABLE = { 'a' => 'one' }.freeze
  attr_reader :kept

  def show
@@
  end

  def go(command)
    system(command)
  end

  def build(name)
    if name.empty?
      'ls'
    else
      "ls #{name}"
    end
  end

  def chosen
    params[:x]
  end

  def keep
    @kept = params[:x]
  end

  def checked?(value)
    ALLOWED.include?(value)
  end
end
"""
CARRIED = [
    "system(params[:x])",
    "x = params[:x]; system(x)",
    'system("ls #{params[:x]}")',
    "`ls #{params[:x]}`",
    "%x(ls #{params[:x]})",
    "system('ls ' + params[:x])",
    "c = 'ls '; c += params[:x]; system(c)",
    "c = 'ls '; c << params[:x] << ' -l'; system(c)",
    "system('ls %s' % params[:x])",
    "c = <<~SHELL\n  ls #{params[:x]}\nSHELL\nsystem(c)",
    "system(<<~SHELL)\n  ls #{params[:x]}\nSHELL",
    "d = { k: params[:x] }; system(d[:k])",
    "d = { 'k' => params[:x] }; system(d['k'])",
    "params[:xs].each { |x| system(x) }",
    "for x in params[:xs] do system(x) end",
    "c = params[:x] || 'ls'; system(c)",
    "c = params[:x] && params[:x].strip; system(c)",
    "c = if y then params[:x] else 'ls' end; system(c)",
    "c = case y when 1 then params[:x] else 'ls' end; system(c)",
    "system(build(params[:x]))",
    "go(params[:x])",
    "go params.fetch(:x)",
    "system(chosen)",
    "system(kept)",
    "system(@kept)",
    "begin; work; rescue => e; system(params[:x]); end",
    "begin; return 1; rescue => e; system(params[:x]); end",
    "begin; return 1; ensure; system(params[:x]); end",
    "return if params[:x].nil?; system(params[:x])",
    "return head(400) unless ALLOWED.include?(params[:y]); system(params[:x])",
]
STOPPED = [
    "system('ls')",
    "system('ls', params[:x])",
    'system("ls #{params[:x].to_i}")',
    'system("ls #{Shellwords.escape(params[:x])}")',
    "return head(400) unless ALLOWED.include?(params[:x]); system(params[:x])",
    "ALLOWED.include?(params[:x]) or raise 'no'; system(params[:x])",
    "redirect_to('/') and return unless ALLOWED.include?(params[:x]); system(params[:x])",
    "x = params.fetch(:x); halt 400 unless x.match?(/\\A[a-z]+\\z/); system(x)",
    "return unless checked?(params[:x]); system(params[:x])",
    "system(params[:x]) if ALLOWED.include?(params[:x])",
    "ALLOWED.include?(params[:x]) && system(params[:x])",
    "c = ALLOWED.include?(params[:x]) ? params[:x] : 'a'; system(c)",
    "case params[:x] when 'a', 'b' then system(params[:x]) end",
    "system(TABLE[params[:x]])",
    "system(TABLE.fetch(params[:x]))",
    "x = params[:x]; x = 'ls'; system(x)",
    "d = { k: params[:x], c: 'ls' }; system(d[:c])",
]


def commands(code: str) -> list[Finding]:
    outputs = TaintAnalyzer().analyze(AnalyzerRequest(code, "ruby", Model.PRO))
    found = [output.finding for output in outputs if isinstance(output, Reported)]
    return [finding for finding in found if finding.rule_id == "taint-command"]


@pytest.mark.parametrize(
    ("body", "is_found"), [(each, True) for each in CARRIED] + [(each, False) for each in STOPPED]
)
def test_commands(body: str, is_found: bool) -> None:
    assert bool(commands(CONTROLLER.replace("@@", body))) is is_found


def test_what_a_constructor_refuses_is_no_more_in_its_fields() -> None:
    code = """\
class Task
  def initialize(name)
    @name = name
@@
  end

  def run
    system("run #{@name}")
  end
end

post('/') { Task.new(params[:name]).run }
"""
    assert commands(code.replace("@@", ""))
    assert not commands(code.replace("@@", "    raise 'no' unless %w[a b].include?(@name)"))
