/**
 * Returns how often a random or racing test repeats: a few times in `npm test`, many times in
 * `npm run test:deep`. `PORTAL_TEST_REPETITIONS` sets any other number.
 */
export function chooseRepetitions(few: number, many: number): number {
  const { PORTAL_TEST_REPETITIONS: given, PORTAL_TEST_DEEP: deep } = process.env;
  return given ? Number(given) : deep ? many : few;
}

/** Returns the first `few` cases of a matrix in `npm test`, and all in `npm run test:deep`. */
export const chooseCases = <Case>(few: number, cases: readonly Case[]): readonly Case[] =>
  cases.slice(0, chooseRepetitions(few, cases.length));
