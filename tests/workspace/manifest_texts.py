"""A manifest of each kind."""

from __future__ import annotations

PACKAGE_JSON = """{
  "name": "@kit/app", "version": "1.0.0",
  "dependencies": {"left": "^1.2.3", "@kit/core": "workspace:*", "tool": "file:../tool",
    "aliased": "npm:right@~2", "forked": "github:a/b", "short": "a/b", "tagged": "latest"},
  "devDependencies": {"lint": ">=1 <2 || 3.x"},
  "peerDependencies": {"host": "*"},
  "optionalDependencies": {"fast": "1", "left": "^1.2.3"}
}"""

PYPROJECT = """
[build-system]
requires = ["setuptools>=77"]
[project]
name = "kit"
dependencies = ["left[fast,slow] >=1.2,<2; python_version > '3.8'", "right", "here @ file:../here"]
[project.optional-dependencies]
plots = ["plotter~=3.0"]
test = ["tester==1.0"]
[dependency-groups]
dev = ["linter", {include-group = "docs"}]
docs = ["writer!=2"]
[tool.uv.sources]
right = {git = "https://h.example/right"}
"""

POETRY = """
[tool.poetry]
name = "kit"
[tool.poetry.dependencies]
python = "^3.11"
left = "^1.2"
plot = {version = "~3", optional = true}
forked = {git = "https://h.example/forked"}
several = [{version = "1", python = "<3.8"}, {version = "2"}]
ours = {version = "1", source = "corp"}
[tool.poetry.group.test.dependencies]
tester = "*"
[tool.poetry.dev-dependencies]
linter = "*"
"""

SETUP_CFG = """
[metadata]
name = kit
[options]
install_requires =
    left >=1
    # a comment
    right; python_version < "4"
[options.extras_require]
test =
    tester >=1
plots = plotter
"""
REQUIREMENTS = """# pinned
left==1.2.3 \\
    --hash=sha256:00
right[extra] >= 2 ; python_version >= "3.8"  # why
-r other.txt
-e git+https://ada:pw@h.example/forked.git#egg=forked
-e .
./here
https://h.example/x-1.0.whl
named @ https://h.example/named.whl
"""
PIPFILE = """
[[source]]
url = "https://PYPI/simple"
[packages]
left = "*"
forked = {git = "https://h.example/x"}
[dev-packages]
tester = {version = ">=1", markers = "x"}
"""

CARGO = """
[package]
name = "kit"
[dependencies]
left = "1.2"
right = {version = "2", optional = true}
here = {path = "../here"}
ours = {version = "1", registry = "corp"}
renamed = {package = "real", version = "3"}
shared = {workspace = true}
patched = "1"
[dev-dependencies]
tester = "1"
[build-dependencies]
maker = "1"
[target.'cfg(unix)'.dependencies]
nixish = "0.1"
[patch.crates-io]
patched = {git = "https://h.example/patched"}
"""

GO_MOD = """module github.com/acme/kit

go 1.22

require github.com/gorilla/mux v1.8.0
require (
	golang.org/x/text v0.3.0
	"gopkg.in/yaml.v3" v3.0.1
	github.com/acme/other v1.0.0
	git.corp.example/team/lib v1.0.0
	github.com/far/away v1.0.0 // indirect
	github.com/swapped/out v1.0.0
)
replace github.com/swapped/out => ../out
"""
COMPOSER = """{"name": "acme/kit", "require": {"php": ">=8.1", "ext-json": "*",
 "monolog/monolog": "^3.0"}, "require-dev": {"phpunit/phpunit": "^10 || ^11"}}"""

GEMFILE = """source "https://GEMS"
ruby "3.3.0"
gem "rails", "~> 7.1", ">= 7.1.2"
gem 'forked', git: "https://h.example/forked"
group :development, :test do
  gem "rspec", require: false
  platforms :mri do
    gem "byebug"
  end
end
gem "puma"
source "https://gems.corp.example" do
  gem "ours"
end
# gem "none"
"""

POM = """<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.parent</groupId><artifactId>up</artifactId><version>3</version></parent>
  <groupId>com.acme</groupId><artifactId>kit</artifactId>
  <properties><slf4j>2.0.1</slf4j></properties>
  <dependencies>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId>
      <version>${slf4j}</version></dependency>
    <dependency><groupId>junit</groupId><artifactId>junit</artifactId><scope>test</scope></dependency>
    <dependency><groupId>com.acme.lib</groupId><artifactId>util</artifactId></dependency>
    <dependency><groupId>${elsewhere}</groupId><artifactId>x</artifactId></dependency>
  </dependencies>
</project>"""
CSPROJ = """<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>
<PackageReference Include="Newtonsoft.Json" Version="13.0.3" />
<PackageReference Include="Serilog"><Version>3.1.1</Version></PackageReference>
<PackageReference Include="StyleCop" Version="1" PrivateAssets="all" />
</ItemGroup></Project>"""
DOCKERFILE = """# syntax=docker/dockerfile:1
FROM --platform=linux/amd64 node:22-slim AS build
FROM registry.corp.example:5000/base:1 as base
FROM DOCKER/library/redis@sha256:00
FROM build
FROM scratch
FROM $IMAGE
FROM grafana/grafana
"""
WORKFLOW = """
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - name: x
        uses: "corp/secret-action/sub@main" # why
      - uses: ./local
      - uses: actions/checkout@v4
"""
HOSTS = {"GEMS": ("rubygems", "org"), "PYPI": ("pypi", "org"), "DOCKER": ("docker", "io")}


def at_public_hosts(text: str) -> str:
    """Replace the names of registries' hosts with the public hosts."""
    for name, labels in HOSTS.items():
        text = text.replace(name, ".".join(labels))
    return text
