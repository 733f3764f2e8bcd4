/** Returns an initial script of a page that makes timers of these lengths take half a second. */
export const hurryScript = (leastMs: number, mostMs = 2e9): string => `{
  const wait = setTimeout;
  const isHurried = (delay) => delay >= ${leastMs} && delay <= ${mostMs};
  window.setTimeout = (call, delay, ...rest) => wait(call, isHurried(delay) ? 500 : delay, ...rest);
}`;
