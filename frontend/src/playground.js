// The playground: an editor that replaces the text area, and runs with live events.
import { Api } from "./playground/api.js";
import { Change } from "./playground/change.js";
import { keepDraft } from "./playground/draft.js";
import { Editor } from "./playground/editor.js";
import { openFiles } from "./playground/files.js";
import { Form } from "./playground/form.js";
import { Output } from "./playground/output.js";
import { endOfLine, languageOf } from "./playground/paths.js";
import { startExamples } from "./playground/examples.js";
import { Rules } from "./findings/rules.js";
import { Session } from "./playground/session.js";

const root = document.querySelector("[data-playground]");
const settings = JSON.parse(root.dataset.playground);
const part = (name) => root.querySelector(`[data-${name}]`);

const form = new Form(root.querySelector("form"), part, settings);
keepDraft({ code: form.area }, () => ({ code: editor.text }));
const editor = new Editor(form.area, () => form.update(), () => form.submit());
form.read = () => editor.text;

const output = new Output(part, editor, new Rules(settings.rules));
const api = new Api(settings.token, form.csrf);
const session = new Session({ api, editor, form, output, change: new Change(part), part, settings });

openFiles({
  button: part("open"),
  input: part("file"),
  area: part("source"),
  most: settings.most,
  refuse: (text) => session.refuse(text),
  take(name, text) {
    form.file = name;
    form.endOfLine = endOfLine(text);
    editor.text = text;
    form.language = languageOf(name, settings.extensions);
    editor.speak(form.language);
    form.update();
    part("file-name").textContent = name;
  },
});
startExamples(root, settings.examples, ({ language, file, code }) => {
  form.file = file;
  form.endOfLine = "\n";
  editor.text = code;
  form.language = language;
  form.model = "pro"; // which traces values
  editor.speak(language);
  form.update();
  part("file-name").textContent = file;
  editor.view.focus();
});
form.onLanguage = (language) => editor.speak(language);
editor.speak(form.language);
part("out").hidden = false;
part("editor-hint").hidden = false;
form.start(() => session.run());
