// The facts about the workspace outside the editor, which change while it is open.
import { make } from "../dom.js";

/** A revision has been made. @param answer `{revision, proofLoop}` @param titles of the proof's states. */
export function tell({ revision, proofLoop }, titles) {
  const told = document.querySelector("[data-revision-told]");
  told?.replaceChildren(`${revision.toLocaleString("en")} `, make("span", { class: "note" }, "saved just now"));
  const proof = document.querySelector(".ws-facts .ws-proof");
  if (!proof || !titles[proofLoop?.status]) return;
  proof.className = `ws-proof ws-proof-${proofLoop.status}`;
  proof.textContent = titles[proofLoop.status];
  proof.closest("dd")?.querySelector(".note")?.remove();
}
