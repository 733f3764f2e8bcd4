/**
 * The seed of the random tests of a file, printed so that a run can be repeated. Default: a new one
 * in each run; `PORTAL_TEST_SEED` sets it.
 *
 * @throws RangeError if `PORTAL_TEST_SEED` is not a whole number of 32 bits.
 */
export function readSeed(env: Record<string, string | undefined> = process.env): number {
  const given = env['PORTAL_TEST_SEED'];
  const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 31);
  if (seed !== (seed | 0))
    throw new RangeError(
      `PORTAL_TEST_SEED is ${given}. Set it to a number that a random test has printed.`,
    );
  console.log(`PORTAL_TEST_SEED=${seed}`);
  return seed;
}

/** Random numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
