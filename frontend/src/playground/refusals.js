// Errors, and what to do about them.

export class Refusal extends Error {
  constructor(status, code, message, { details = {}, wait = 0 } = {}) {
    super(message);
    Object.assign(this, { status, code, details, wait });
  }
}

/** The refusal that an answer is. */
export async function refusalOf(answer) {
  const wait = Number(answer.headers.get("Retry-After")) || 0;
  const told = await answer.json().then((body) => body?.error, () => null);
  const message = told?.message ?? `The service answered ${answer.status}.`;
  return new Refusal(answer.status, told?.code ?? "", message, { details: told?.details ?? {}, wait });
}

/** Whether asking again may help without anybody doing anything. */
export const mayPass = (error) =>
  !(error instanceof Refusal) || [408, 502, 503, 504].includes(error.status);

/** What to tell a person: a text, and what to do next as `{text, href}`, or a number of seconds to
 * wait for. */
export function advice(error, addresses) {
  if (!(error instanceof Refusal)) {
    return { text: "The connection was lost. Check the network, then resume." };
  }
  const next = NEXT[error.code] ?? NEXT[error.status];
  return { text: error.message, wait: error.wait, ...next?.(error, addresses) };
}

const signIn = (_, { signIn: href }) => ({ text: "Your session has ended.", action: { text: "Sign in again", href } });
const later = ({ message, wait }) => ({ text: message, wait: wait || 5 });

const NEXT = {
  401: signIn,
  403: () => ({ text: "This page belongs to another session. Your text stays in the editor.", action: { text: "Reload the page", href: "" } }),
  insufficient_credits: ({ details }, { account: href }) => ({
    text: details.available
      ? `This run costs ${details.price} credits. You have ${details.available} available. Choose flash, send less code, wait for other runs to finish, or ask the operator for credits.`
      : `This run costs ${details.price} credits. You have none available. Wait for running runs to finish, or ask the operator for credits.`,
    action: { text: "See your credits", href },
  }),
  rate_limit_exceeded: later,
  draining: later,
  overloaded: later,
  database_unavailable: later,
  unsupported_without_model: ({ message }) => ({ text: `${message} Choose another transformation or language.` }),
  413: () => ({ text: "The code is too long. The limit is 100,000 characters." }),
};
