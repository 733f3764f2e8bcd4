/**
 * Reads each field of an input once, into a plain object: the known fields, which may be getters of a
 * class, and any others that it has, for the check to refuse.
 */
export function readFields(known: object, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  const names = [...Object.keys(known), ...Object.keys(input)].filter((name) => name in input);
  return Object.fromEntries(
    names.map((name) => [name, (input as Record<string, unknown>)[name]] as const),
  );
}

/**
 * What was checked, spelt as it was given: ids keep the letter case of their portal. Objects within
 * lists have the fields that were checked, and these alone.
 */
export function asGiven(checked: unknown, given: unknown): unknown {
  if (typeof checked !== 'object' || checked === null) return given;
  const at = (key: string | number) => (given as Record<string | number, unknown>)[key];
  if (Array.isArray(checked)) return checked.map((each, index) => asGiven(each, at(index)));
  return Object.fromEntries(
    Object.entries(checked).map(([name, each]) => [name, asGiven(each, at(name))]),
  );
}
