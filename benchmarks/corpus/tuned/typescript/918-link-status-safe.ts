import Fastify from "fastify";

const app = Fastify({ logger: true });

const PARTNER_HOSTS = new Set(["shop.example.com", "press.example.com", "docs.example.org"]);

interface LinkQuery {
  link?: string;
}

function parseLink(raw: string | undefined): URL | null {
  try {
    const parsed = new URL(raw ?? "");
    const known = PARTNER_HOSTS.has(parsed.hostname) && parsed.port === "";
    return parsed.protocol === "https:" && known ? parsed : null;
  } catch {
    return null;
  }
}

app.get<{ Querystring: LinkQuery }>("/links/status", async (request, reply) => {
  const link = parseLink(request.query.link);
  if (!link) {
    return reply.code(400).send({ error: "link must be a partner's address" });
  }
  const answer = await fetch(link, {
    method: "HEAD",
    redirect: "manual",
    signal: AbortSignal.timeout(3000),
  });
  return { reachable: answer.ok, status: answer.status, type: answer.headers.get("content-type") };
});

app.listen({ port: 8080 });
