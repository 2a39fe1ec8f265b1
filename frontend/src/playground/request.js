// What the form asks for, as a request to the API.

export const ANALYSE = "analyse";

/** `{path, body}` for the values of the form. */
export function requestOf({ task, code, language, target, words, model }, changesLanguage) {
  const known = language ? { language } : {};
  if (task === ANALYSE) {
    const prompt = words ? { prompt: words } : {};
    return { path: "/api/v1/analyze/stream", body: { code, ...known, ...prompt, model } };
  }
  const to = changesLanguage && target ? { targetLanguage: target } : {};
  const instructions = words ? { instructions: words } : {};
  return {
    path: "/api/v1/transform/stream",
    body: { code, transformation: task, ...known, ...to, ...instructions, model },
  };
}
