/**
 * Returns the checked fields with the values that the caller gave. The check converts ids to lower
 * case, but another portal may compare them with their letter case.
 */
export function keepSpelling(checked: unknown, given: unknown): unknown {
  if (typeof checked !== 'object' || checked === null) return given;
  const at = (key: string | number) => (given as Record<string | number, unknown>)[key];
  if (Array.isArray(checked)) return checked.map((each, index) => keepSpelling(each, at(index)));
  return Object.fromEntries(
    Object.entries(checked).map(([name, each]) => [name, keepSpelling(each, at(name))]),
  );
}
