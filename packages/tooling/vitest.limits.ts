/**
 * Time limits of a test, its hooks and its polls. They end a test that hangs, and are long enough for
 * a busy machine. A test that builds, installs or starts many processes sets longer ones.
 */
export const limits = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000, interval: 20 } },
};
