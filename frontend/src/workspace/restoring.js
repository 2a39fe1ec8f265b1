// What was not saved when the page was left, put back.
import { Refusal } from "../playground/refusals.js";

/** What to keep of what is edited: with the digests of what it was made of. */
export function toKeep({ changes, entries, revision }, { paths, active }) {
  const bases = Object.fromEntries(Object.keys(changes).map((path) => [path, entries.get(path)?.sha256]));
  return { revision, bases, files: changes, tabs: paths, active };
}

/** Put back what was kept, over the revision that it was made of; then take in the newest. Where that
 * revision is not there any more, people are asked about each file that is not as it was. */
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

/** A revision, null where it is not there any more. */
async function there(service, revision) {
  try {
    return await service.revision(revision);
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error; // nobody knows what others have changed: nothing is put back over it
  }
}
