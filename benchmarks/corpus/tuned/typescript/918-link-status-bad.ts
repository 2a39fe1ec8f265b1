import Fastify from "fastify";

const app = Fastify({ logger: true });

interface LinkQuery {
  link?: string;
}

function parseLink(raw: string | undefined): URL | null {
  try {
    const parsed = new URL(raw ?? "");
    return parsed.protocol === "https:" || parsed.protocol === "http:" ? parsed : null;
  } catch {
    return null;
  }
}

app.get<{ Querystring: LinkQuery }>("/links/status", async (request, reply) => {
  const link = parseLink(request.query.link);
  if (!link) {
    return reply.code(400).send({ error: "link must be a web address" });
  }
  const answer = await fetch(link, {
    method: "HEAD",
    signal: AbortSignal.timeout(3000),
  });
  return { reachable: answer.ok, status: answer.status, type: answer.headers.get("content-type") };
});

app.listen({ port: 8080 });
