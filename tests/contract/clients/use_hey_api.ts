// Calls with the client that @hey-api/openapi-ts writes, and events of an analysis by their types.
import { client } from "./hey/client.gen";
import { account, analyze, runsReadRun } from "./hey/sdk.gen";
import type { RunEvent } from "./hey/types.gen";

const { CONTRACT_URL = "", CONTRACT_KEY = "" } = process.env;
client.setConfig({ baseUrl: CONTRACT_URL, auth: CONTRACT_KEY });

// A stream may be read as text or as frames, too: the type of its data says so.
function isEvent(data: unknown): data is RunEvent {
  return typeof data === "object" && data !== null && "type" in data && "sequence" in data;
}

async function main(): Promise<void> {
  const { data } = await account({ throwOnError: true });
  const tier: "FREE" | "PRO" | "TEAM" = data.data.tier;

  const code = "import pickle\n\ndef load(data):\n    return pickle.loads(data)\n";
  const { stream } = await analyze({ body: { code, language: "python" } });
  const types: RunEvent["type"][] = [];
  const rules: string[] = [];
  let runId = "";
  for await (const event of stream) {
    if (!isEvent(event)) throw new Error(`no event: ${JSON.stringify(event)}`);
    types.push(event.type);
    runId = event.runId;
    // The type of the event follows from its `type`.
    if (event.type === "finding") rules.push(event.finding.ruleId);
  }
  const run = await runsReadRun({ path: { run_id: runId }, throwOnError: true });
  console.log(JSON.stringify({ tier, types, rules, run: run.data }));
}

void main();
