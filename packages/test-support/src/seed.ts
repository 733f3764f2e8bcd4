/**
 * Returns the seed for the random tests of a file and prints it, so that a run can be repeated with
 * `PORTAL_TEST_SEED`. Default: a new seed for each run.
 *
 * @throws RangeError if `PORTAL_TEST_SEED` is not a whole number of 32 bits.
 */
export function readSeed(env: Record<string, string | undefined> = process.env): number {
  const given = env['PORTAL_TEST_SEED'];
  const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 31);
  if (seed !== (seed | 0))
    throw new RangeError(
      `PORTAL_TEST_SEED is "${given}", not a seed. Set it to a number that a test printed.`,
    );
  console.log(`PORTAL_TEST_SEED=${seed}`);
  return seed;
}

/** Returns a generator of random numbers in [0, 1), the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
