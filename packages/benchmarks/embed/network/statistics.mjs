const sort = (values) => values.toSorted((a, b) => a - b);
const quantile = (values, part) => {
  const sorted = sort(values);
  const at = (sorted.length - 1) * part;
  const low = sorted[Math.floor(at)];
  return low + (sorted[Math.ceil(at)] - low) * (at % 1);
};

export const median = (values) => quantile(values, 0.5);

/** The median of the ratios of values of the same round, with their quartiles. */
export function summarizeRatios(values, others) {
  const ratios = values.map((value, round) => value / others[round]);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(2));
  return `${middle} (${low}–${high})`;
}

/** The same order of subjects never repeats in the next round, so none is always the first. */
export const rotate = (values, by) =>
  values.map((_, index) => values[(index + by) % values.length]);

/** Runs rounds, and starts none after the given minutes. Returns their number. */
export async function repeat(rounds, minutes, run) {
  const end = performance.now() + minutes * 60_000;
  let done = 0;
  while (done < rounds && performance.now() < end) {
    await run(done++);
    process.stderr.write(`round ${done} of ${rounds}\n`);
  }
  return done;
}

export function print(title, rows) {
  process.stdout.write(`\n${title}\n`);
  // oxlint-disable-next-line no-console -- the result
  console.table(rows);
}
