import type { Usage } from "./message.ts";

/** Sums what turns used; costs in different currencies are not added, the first one's stays. */
export function addUsage(a: Usage, b: Usage): Usage {
  const cost = addCost(a.cost, b.cost);
  return {
    ...sum("inputTokens", a, b),
    ...sum("outputTokens", a, b),
    ...sum("totalTokens", a, b),
    ...sum("cachedReadTokens", a, b),
    ...(cost === undefined ? {} : { cost }),
  };
}

function sum(key: Exclude<keyof Usage, "cost">, a: Usage, b: Usage): Usage {
  const one = a[key];
  const other = b[key];
  if (one === undefined && other === undefined) return {};
  return { [key]: (one ?? 0) + (other ?? 0) };
}

function addCost(a: Usage["cost"], b: Usage["cost"]): Usage["cost"] {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.currency !== b.currency) return a;
  return { amount: a.amount + b.amount, currency: a.currency };
}
