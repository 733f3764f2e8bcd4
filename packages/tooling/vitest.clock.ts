import { afterAll } from 'vitest';

const names = ['Date', 'setImmediate', 'setInterval', 'setTimeout'] as const;
const before = names.map((name) => globalThis[name] as unknown);

// The worker runs other files in the same process. They would wait for a clock that stands still.
afterAll(() => {
  const changed = names.filter((name, index) => globalThis[name] !== before[index]);
  if (changed.length > 0)
    throw new Error(`A simulated clock was left behind: ${changed.join(', ')}.`);
});
