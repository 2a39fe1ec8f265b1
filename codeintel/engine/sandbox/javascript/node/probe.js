// Try to escape from the sandbox, or to do what it must prevent. No attempt may succeed.

"use strict";

const childProcess = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const { Worker } = require("node:worker_threads");

const job = JSON.parse(fs.readFileSync(0, "utf8"));
const say = (line) => fs.writeSync(1, `${JSON.stringify(line)}\n`);

function spawned(command) {
  const done = childProcess.spawnSync(command, ["-e", "0"], { timeout: 500 });
  return done.error === undefined && done.status === 0;
}

function useMemory() {
  const kept = [];
  for (let size = 0; size < 1280; size += 64) kept.push(Buffer.alloc(64 * 1024 * 1024, 1));
  return kept.length > 0;
}

const ATTEMPTS = {
  "read a file outside": () => fs.readFileSync(job.canary),
  "read /etc/passwd": () => fs.readFileSync("/etc/passwd"),
  "write next to a file outside": () => fs.writeFileSync(`${job.canary}-written`, "x") ?? true,
  "write to the root": () => fs.writeFileSync("/written", "x") ?? true,
  "write to the scripts": () => fs.writeFileSync(`${__dirname}/written`, "x") ?? true,
  "start Node.js": () => spawned(process.execPath),
  "start a program": () => spawned("/bin/sh"),
  "see processes": () => fs.existsSync("/proc/1") || fs.existsSync("/proc/self"),
  "see the devices": () => fs.existsSync("/dev") || fs.existsSync("/sys"),
  "see the environment": () => job.variable in process.env,
  "signal processes outside": () => job.process > 20 && process.kill(job.process, 0),
  "be the administrator": () => process.getuid() === 0,
  "use much memory": useMemory,
};

function attempt(name, action) {
  let succeeded = false;
  try {
    succeeded = Boolean(action());
  } catch {
    succeeded = false;
  }
  say({ what: "attempt", name, succeeded });
}

function main() {
  const [major] = process.versions.node.split(".");
  say({ what: "version", name: `v${major}` });
  const socket = net.connect(job.port, "127.0.0.1");
  const end = (succeeded) => {
    say({ what: "attempt", name: "connect to the loopback", succeeded });
    for (const name of Object.keys(ATTEMPTS)) attempt(name, ATTEMPTS[name]);
    say({ what: "finished" });
    process.exit(0);
  };
  socket.on("connect", () => end(true));
  socket.on("error", () => end(false));
}

if (job.attempt === "spin") {
  say({ what: "spinning" });
  for (;;);
}
if (typeof Worker === "function") main();
