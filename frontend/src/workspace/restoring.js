// What was not saved when the page was left, put back.
import { Refusal } from "../playground/refusals.js";

/** Return the edits to keep, with the digests of the versions that were edited. */
export function toKeep({ changes, entries, revision }, { paths, active }) {
  const bases = Object.fromEntries(Object.keys(changes).map((path) => [path, entries.get(path)?.sha256]));
  return { revision, bases, files: changes, tabs: paths, active };
}

/** Restore the kept edits on top of their base revision, then merge the newest revision. If the base
 * revision no longer exists, the user decides on each file that has changed. */
export async function restore({ revision, bases = {}, files, tabs: paths }, { project, service, tabs, saving }) {
  const isOld = revision !== project.revision && Object.keys(files).length > 0;
  const base = isOld ? await there(service, revision) : null;
  if (base) project.rest(base);
  const isMoved = (path) => bases[path] !== project.entries.get(path)?.sha256;
  await project.restore(files, new Set(isOld && !base ? Object.keys(files).filter(isMoved) : []));
  const living = new Set(project.living);
  for (const path of paths ?? []) if (living.has(path) && !tabs.paths.includes(path)) tabs.paths.push(path);
  tabs.draw();
  if (isOld) await saving.takeIn();
}

/** Return a revision, or null if it no longer exists. */
async function there(service, revision) {
  try {
    return await service.revision(revision);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error; // the changes of others are unknown, so nothing may overwrite them
  }
}
