// Compute the price of a run from the prices in the page.

/** Return the credits for a task by model, for the given number of characters. */
export function price(prices, task, model, length, longer) {
  const found = prices[task][model];
  return length > longer ? found.long : found.full;
}

export const credits = (count) => `${count.toLocaleString("en")} credit${count === 1 ? "" : "s"}`;
