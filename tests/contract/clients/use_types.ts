// Calls with the types that openapi-typescript writes, by openapi-fetch.
import createClient from "openapi-fetch";
import type { components, paths } from "./types";

const { CONTRACT_URL = "", CONTRACT_KEY = "" } = process.env;
const client = createClient<paths>({
  baseUrl: CONTRACT_URL,
  headers: { Authorization: `Bearer ${CONTRACT_KEY}` },
});
type ErrorCode = components["schemas"]["ErrorCode"];

async function main(): Promise<void> {
  const account = await client.GET("/api/v1/account");
  const tier: "FREE" | "PRO" | "TEAM" | undefined = account.data?.data.tier;

  const query = { language: "python", analyzer: "patterns" } as const;
  const capabilities = await client.GET("/api/v1/capabilities", { params: { query } });
  const rules: number = capabilities.data?.data.rules.length ?? 0;

  const body = { files: { "/main.py": "print('hi')\n" }, name: "typed" };
  const stored = await client.POST("/api/workspace/sync", { body });
  const workspace_id: string = stored.data?.sessionId ?? "";
  const path = { workspace_id };
  const read = await client.GET("/api/workspace/{workspace_id}", { params: { path } });
  const files: string[] = (read.data?.files ?? []).map((each) => each.path);

  const missing = await client.GET("/api/v1/runs/{run_id}", {
    params: { path: { run_id: "run_0" } },
  });
  const code: ErrorCode | undefined = missing.error?.error.code;
  console.log(JSON.stringify({ tier, rules, files, code }));
}

void main();
