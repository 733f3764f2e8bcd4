import type { Issue } from './issue.ts';

/** Issues for the names that occur twice. `path` leads to the list. */
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

/** What a name stands for; why it stands for nothing; `undefined` if that was said elsewhere. */
export type Found<Value> = Value | string | undefined;

const maxChain = 60;

/** Makes what names stand for when it is first needed. Names that need each other are an error. */
export function createResolver<Value>(make: (name: string) => Found<Value>) {
  const made = new Map<string, Found<Value>>();
  const chain: string[] = [];
  return (name: string): Found<Value> => {
    if (made.has(name)) return made.get(name);
    const start = chain.indexOf(name);
    if (start !== -1)
      return `${[...chain.slice(start), name].join(' → ')}: an expression cannot contain itself`;
    if (chain.length >= maxChain) return `more than ${maxChain} names stand for one another`;
    chain.push(name);
    const value = make(name);
    chain.pop();
    made.set(name, value);
    return value;
  };
}
