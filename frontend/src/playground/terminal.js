// The `codeintel` command that does the same. The key is a placeholder: a command may be pasted
// anywhere.
import { quoted } from "./curl.js";
import { ANALYSE } from "./request.js";

const word = (text) => (/^[\w./:@%+,-]+$/.test(text) ? text : quoted(text));

/** Return the command for the values of the form. @param file name of the file, as it is opened. */
export function terminalCommand(origin, { task, language, target, words, model }, changesLanguage, file) {
  const name = word(file || "FILE");
  const options = [];
  if (task === ANALYSE) {
    options.push("analyze", name);
    if (words) options.push("--prompt", word(words));
  } else {
    options.push("transform", name, "--to", word(task));
    if (changesLanguage && target) options.push("--target", word(target));
    if (words) options.push("--instructions", word(words));
  }
  if (language && !file) options.push("--language", word(language));
  if (model !== "flash") options.push("--model", word(model));
  return `export CODEINTEL_URL=${word(origin)} CODEINTEL_API_KEY=...\ncodeintel ${options.join(" ")}`;
}
