import { execFile } from "node:child_process";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { Job, Worker } from "bullmq";

const run = promisify(execFile);
const MEDIA_DIR = process.env.MEDIA_DIR ?? "/srv/media";
const connection = { host: process.env.REDIS_HOST ?? "127.0.0.1", port: 6379 };

interface ClipJob {
  uploadName: string;
  seconds: number;
}

async function cutPreview(source: string, seconds: number): Promise<string> {
  const target = `${source}.preview.mp4`;
  const args = ["-y", "-t", `${seconds}`, "-i", `file:${source}`, "-c", "copy", `file:${target}`];
  await run("ffmpeg", args, { timeout: 60_000 });
  return target;
}

export const worker = new Worker<ClipJob>(
  "clips",
  async (job: Job<ClipJob>) => {
    const source = join(MEDIA_DIR, basename(job.data.uploadName));
    const seconds = Math.min(Math.max(Math.trunc(Number(job.data.seconds)) || 10, 1), 30);
    const preview = await cutPreview(source, seconds);
    return { preview };
  },
  { connection, concurrency: 2 },
);
