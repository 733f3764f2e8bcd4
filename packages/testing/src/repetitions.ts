/**
 * Returns how often a random or racing test repeats: a few times in `npm test`, many times in
 * `npm run test:deep`. `PORTAL_TEST_REPETITIONS` sets any other number.
 */
export function chooseRepetitions(few: number, many: number): number {
  const { PORTAL_TEST_REPETITIONS: given, PORTAL_TEST_DEEP: deep } = process.env;
  return given ? Number(given) : deep ? many : few;
}

/** Returns all cases of a matrix, or every `step`-th one in `npm run test:deep -- --bounded`. */
export const chooseCases = <Case>(cases: readonly Case[], step: number): readonly Case[] =>
  process.env['PORTAL_DEEP_BOUNDED'] ? cases.filter((_, index) => index % step === 0) : cases;
