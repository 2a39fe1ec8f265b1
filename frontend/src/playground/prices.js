// What a run costs, as the page was told.

/** Credits for a task, by model, for so many characters. */
export function price(prices, task, model, length, longer) {
  const found = prices[task][model];
  return length > longer ? found.long : found.full;
}

export const credits = (count) => `${count.toLocaleString("en")} credit${count === 1 ? "" : "s"}`;
