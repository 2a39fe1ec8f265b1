// Reading events, and following a run over several connections.
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.addEventListener ??= () => {};
globalThis.removeEventListener ??= () => {};
const { Api } = await import("../../frontend/src/playground/api.js");
const { Following } = await import("../../frontend/src/playground/following.js");
const { Refusal } = await import("../../frontend/src/playground/refusals.js");
const { events } = await import("../../frontend/src/playground/sse.js");

const bytes = (text) => new TextEncoder().encode(text);

function body(...pieces) {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function all(stream) {
  const found = [];
  for await (const event of events(stream)) found.push(event);
  return found;
}

const STREAM = ': ping\n\nid: 1\nevent: a\ndata: {"x":"é😀"}\n\nid: 2\r\ndata: one\r\ndata:two\r\n\r\nid: 3\rdata\r\rdata: without end';

test("events are the same however the bytes are cut", async () => {
  const whole = [
    { id: "1", type: "a", data: '{"x":"é😀"}' },
    { id: "2", type: undefined, data: "one\ntwo" },
    { id: "3", type: undefined, data: "" },
  ];
  assert.deepEqual(await all(body(bytes(STREAM))), whole);
  const raw = bytes(STREAM);
  for (let at = 1; at < raw.length; at++) {
    assert.deepEqual(await all(body(raw.slice(0, at), raw.slice(at))), whole, `cut at ${at}`);
  }
  assert.deepEqual(await all(body(...[...raw].map((each) => Uint8Array.of(each)))), whole);
});

const frame = (event) => bytes(`id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
const numbered = (type, sequence) => ({ type, sequence, runId: "run_1" });

/** An API that answers with the given things, one after the other. */
function scripted(...answers) {
  const asked = [];
  return {
    asked,
    async ask(path, { method = "GET", headers = {} } = {}) {
      asked.push([method, path, headers["Last-Event-ID"] ?? headers["Idempotency-Key"] ?? ""]);
      const next = answers.shift();
      if (next instanceof Error) throw next;
      return { body: body(...next.map(frame)) };
    },
  };
}

async function followed(api) {
  const seen = [];
  const states = [];
  const on = { event: ({ sequence }) => seen.push(sequence), state: (state) => states.push(state) };
  const following = new Following(api, on, { start: { path: "/start", body: {} } });
  await following.go();
  return { seen, states, following };
}

test("a broken stream goes on behind the last event", async () => {
  const api = scripted(
    [numbered("run.created", 1), numbered("progress", 2)],
    [numbered("progress", 2), numbered("progress", 3)],
    new TypeError("no network"),
    [numbered("run.completed", 4)],
  );
  const { seen, states, following } = await followed(api);
  assert.deepEqual(seen, [1, 2, 3, 4]);
  assert.deepEqual(states.at(-1), "ended");
  assert.ok(following.ended);
  assert.deepEqual(api.asked.slice(1), [
    ["GET", "/api/v1/runs/run_1/events", "2"],
    ["GET", "/api/v1/runs/run_1/events", "3"],
    ["GET", "/api/v1/runs/run_1/events", "3"],
  ]);
});

test("a lost answer is asked for again under the same key", async () => {
  const api = scripted(new TypeError("cut"), [numbered("run.created", 1), numbered("run.failed", 2)]);
  const { seen } = await followed(api);
  assert.deepEqual(seen, [1, 2]);
  const [first, second] = api.asked;
  assert.deepEqual(first, second);
  assert.match(first[2], /^[0-9a-f]{32}$/);
});

test("a refusal ends the tries, and somebody may try again", async () => {
  const api = scripted(new Refusal(402, "insufficient_credits", "Poor."), [numbered("run.created", 1), numbered("run.completed", 2)]);
  const { states, following } = await followed(api);
  assert.deepEqual(states, ["connecting", "lost"]);
  await following.go();
  assert.equal(states.at(-1), "ended");
});

const answer = (status, told) => new Response(JSON.stringify(told), { status, headers: { "Retry-After": "7" } });

test("a token is kept until shortly before its end, and replaced when it is refused", async () => {
  const asked = [];
  let refuse = false;
  globalThis.fetch = async (path, { headers }) => {
    asked.push(path);
    if (path === "/token") {
      assert.equal(headers["X-CSRF-Token"], "c");
      return answer(200, { token: `t${asked.length}`, expiresAt: new Date(Date.now() + lasts).toISOString() });
    }
    if (refuse) {
      refuse = false;
      return answer(401, { error: { code: "unauthorized", message: "Ended." } });
    }
    return answer(200, { data: headers.Authorization });
  };
  let lasts = 600_000;
  const api = new Api("/token", "c");
  assert.equal(await api.data("/a"), "Bearer t1");
  assert.equal(await api.data("/a"), "Bearer t1");
  refuse = true;
  lasts = 1_000;
  assert.equal(await api.data("/a"), "Bearer t5");
  assert.equal(await api.data("/a"), "Bearer t7");
});

test("refusals keep what the service said", async () => {
  globalThis.fetch = async (path) =>
    path === "/token" ? answer(200, { token: "t", expiresAt: "2999-01-01" }) : answer(429, { error: { code: "rate_limit_exceeded", message: "Wait.", details: { a: 1 } } });
  await assert.rejects(new Api("/token", "c").ask("/a"), (error) => {
    assert.deepEqual([error.status, error.code, error.message, error.wait, error.details], [429, "rate_limit_exceeded", "Wait.", 7, { a: 1 }]);
    return true;
  });
  globalThis.fetch = async () => new Response("<html>", { status: 502 });
  await assert.rejects(new Api("/token", "c").ask("/a"), { status: 502, message: "The service answered 502." });
});
