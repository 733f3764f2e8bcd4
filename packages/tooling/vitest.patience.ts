/**
 * How long a test, its hooks and what it polls for may take. These limits only end a test that
 * hangs: a machine that is busy or starved must not reach them. Vitest's own are 5, 10 and 1 s.
 */
export const patience = {
  testTimeout: 180_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 60_000, interval: 20 } },
};
