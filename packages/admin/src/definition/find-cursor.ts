/** Where the cursor is in a YAML text. */
export interface Cursor {
  /** The keys above, from the top; `[]` is an item of a list. */
  path: string[];
  /** The key whose value is being typed; `undefined` while a key is being typed. */
  key: string | undefined;
  /** `type` of the map around the cursor, which decides its other keys. */
  type: string | undefined;
}

/** A dash or a key, with its column. */
interface Entry {
  column: number;
  name: string;
  value: string;
}

const item = '[]';

/**
 * Reads the place from the indentation of the lines up to the cursor, because a parser would refuse an
 * unfinished text.
 */
export function findCursor(lines: readonly string[]): Cursor {
  const last = lines.at(-1) ?? '';
  const own = readEntries(last);
  const key = own.find(({ name }) => name !== item);
  const column = key?.column ?? columnOfText(last);
  const path: string[] = [];
  let limit = column;
  let type: string | undefined;
  const entries = [...lines.slice(0, -1).flatMap(readEntries), ...own];
  for (const entry of entries.toReversed()) {
    const isOfSameMap = limit === column && entry.column === column;
    // Ignore the type at the cursor, because it may be incomplete.
    if (isOfSameMap && entry.name === 'type' && entry !== key) type ??= entry.value;
    // The dashes of a list may be below the first letter of its key.
    const isKeyOfList = path[0] === item && entry.name !== item && entry.column === limit;
    if (entry.column >= limit && !isKeyOfList) continue;
    path.unshift(entry.name);
    limit = entry.column;
  }
  return { path, key: key?.name, type };
}

function readEntries(line: string): Entry[] {
  if (/^\s*#/.test(line)) return [];
  const [, space = '', dashes = '', rest = ''] = /^(\s*)((?:-\s+)*)(.*)$/.exec(`${line} `) ?? [];
  const entries = [...dashes.matchAll(/-/g)].map(({ index }) => ({
    column: space.length + index,
    name: item,
    value: '',
  }));
  const [, name, value = ''] = /^([\w-]+):(?:\s+(.*))?$/.exec(rest.trimEnd()) ?? [];
  const column = space.length + dashes.length;
  return name === undefined ? entries : [...entries, { column, name, value }];
}

const columnOfText = (line: string) => /^\s*(?:-\s+)*/.exec(line)![0].length;
