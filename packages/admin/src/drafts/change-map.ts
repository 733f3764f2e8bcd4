import { isMap, isScalar, isSeq, Pair, type Document, type Node, type YAMLMap } from 'yaml';

/** Creates a node in the style of one kind of definition. */
type CreateNode = (document: Document, value: unknown) => Node;

/** Sets and removes keys of a mapping. The others keep their place, and comments stay. */
export function changeMap(
  document: Document,
  map: YAMLMap,
  changes: Readonly<Record<string, unknown>>,
  create: CreateNode,
): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) {
      map.delete(key);
      continue;
    }
    const pair = map.items.find((each) => isScalar(each.key) && each.key.value === key);
    if (pair) pair.value = changeNode(document, pair.value as Node | null, value, create);
    else map.items.push(new Pair(document.createNode(key), create(document, value)));
  }
}

/** A node with another value, in which comments and unchanged entries stay. */
function changeNode(
  document: Document,
  node: Node | null,
  value: unknown,
  create: CreateNode,
): Node {
  if (node && isEqual(node.toJS(document), value)) return node;
  if (isMap(node) && isRecord(value)) {
    const keys = node.items.map(({ key }) => String(isScalar(key) ? key.value : key));
    const gone = keys.filter((key) => !(key in value)).map((key) => [key, undefined] as const);
    changeMap(document, node, Object.fromEntries([...gone, ...Object.entries(value)]), create);
    return node;
  }
  if (isSeq(node) && Array.isArray(value)) {
    const before = node.items as Node[];
    const kept = [...before];
    const isAligned = before.length === value.length;
    node.items = value.map((entry: unknown, index) => {
      const found = kept.findIndex((each) => isEqual(each.toJS(document), entry));
      if (found !== -1) return kept.splice(found, 1)[0];
      // Another entry may take along a collection that moved.
      return isAligned && !isMoved(before[index]!, value, document)
        ? changeNode(document, before[index]!, entry, create)
        : create(document, entry);
    });
    return node;
  }
  const created = create(document, value);
  if (node) {
    created.commentBefore = node.commentBefore ?? null;
    created.comment = node.comment ?? null;
    const isQuoted = isScalar(node) && node.type?.startsWith('QUOTE');
    if (isQuoted && isScalar(created) && typeof value === 'string') created.type = node.type!;
  }
  return created;
}

/** Whether an entry of a list is still there, at any place. */
const isMoved = (node: Node, values: readonly unknown[], document: Document): boolean =>
  values.some((each) => isEqual(node.toJS(document), each));

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
