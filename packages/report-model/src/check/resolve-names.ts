import { maxIssues, type Issue } from '../issues/issue.ts';

/** Issues for duplicate names. `path` leads to the list. */
export function findDuplicates(
  items: readonly { name: string }[],
  path: Issue['path'],
  what: string,
): Issue[] {
  const seen = new Set<string>();
  return items.flatMap(({ name }, index) => {
    const isDuplicate = seen.has(name);
    seen.add(name);
    if (!isDuplicate) return [];
    const message = `${name}: another ${what} has this name; rename one of them`;
    return [{ path: [...path, index, 'name'], message }];
  });
}

/** The value of a name, a message if it has none, or `undefined` if its mistake is already reported. */
export type Found<Value> = Value | string | undefined;

const maxChain = 60;

/** Resolves each name on first use and keeps the result. Circular references are an error. */
export function createResolver<Value>(make: (name: string) => Found<Value>) {
  const made = new Map<string, Found<Value>>();
  const chain: string[] = [];
  return (name: string): Found<Value> => {
    if (made.has(name)) return made.get(name);
    const start = chain.indexOf(name);
    if (start !== -1)
      return `circular reference ${[...chain.slice(start), name].join(' → ')}; remove one of the references`;
    if (chain.length >= maxChain)
      return `more than ${maxChain} fields or metrics refer to one another; shorten the chain`;
    chain.push(name);
    const value = make(name);
    chain.pop();
    made.set(name, value);
    return value;
  };
}

/** Resolves names until there are too many issues. Yields after each of them. */
export function* keepResolved<Value extends { name: string }>(
  names: Iterable<string>,
  find: (name: string) => Found<Value>,
  issues: readonly Issue[],
): Generator<void, ReadonlyMap<string, Value>> {
  const found = new Map<string, Value>();
  for (const name of names) {
    const value = issues.length > maxIssues ? undefined : find(name);
    if (typeof value === 'object') found.set(name, value);
    yield;
  }
  return found;
}
