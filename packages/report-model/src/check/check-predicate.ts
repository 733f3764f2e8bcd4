import { describeType, isSameKind } from '../expression/types.ts';
import type { FieldType, Role } from '../files/dataset.ts';
import type {
  Condition,
  FieldCondition,
  Literal,
  LookUp,
  Match,
  RowPredicate,
  ValueList,
  ViewerAttribute,
} from '../files/predicate.ts';
import { limitIssues, maxIssues, type Issue } from '../issues/issue.ts';
import { describeMissing, describeUnknown, type LostColumns } from '../issues/nearest.ts';
import { describeMisfit, isReversed } from '../values/literals.ts';
import type { DraftDataset, ResolvedField } from './resolved.ts';

type Path = Issue['path'];

/** The message follows the name of the field: `is text, but …`. */
interface Mistake {
  path: Path;
  message: string;
}

export function* listConditions(rows: RowPredicate, path: Path): Generator<[Condition, Path]> {
  const combination = 'and' in rows ? 'and' : 'or';
  if ('not' in rows) yield* listConditions(rows.not, [...path, 'not']);
  else if ('and' in rows || 'or' in rows)
    for (const [index, part] of ('and' in rows ? rows.and : rows.or).entries())
      yield* listConditions(part, [...path, combination, index]);
  else yield [rows, path];
}

/** Each condition of each role, with its path in the dataset. */
function* listRoleConditions(roles: readonly Role[]): Generator<[Role, Condition, Path]> {
  for (const [index, role] of roles.entries())
    if (role.rows !== 'all')
      for (const [condition, path] of listConditions(role.rows, ['roles', index, 'rows']))
        yield [role, condition, path];
}

/** The fields that a condition compares, each with its path in the condition. */
export const fieldsOf = (condition: Condition): { name: string; path: Path }[] =>
  'matches' in condition
    ? Object.keys(condition.matches.fields).map((name) => ({
        name,
        path: ['matches', 'fields', name],
      }))
    : [{ name: condition.field, path: ['field'] }];

/** The fields that roles compare. */
export const listConditionFields = (roles: readonly Role[]): string[] =>
  [...listRoleConditions(roles)].flatMap(([, condition]) =>
    fieldsOf(condition).map(({ name }) => name),
  );

const isLookUp = (value: ValueList): value is LookUp => 'lookup' in value;

/** A look-up of a condition, with its path in the condition. */
interface FoundLookUp {
  lookUp: LookUp | Match;
  path: Path;
}

/** The look-up of a condition; `undefined` if it has none. */
export function findLookUp(condition: Condition): FoundLookUp | undefined {
  if ('matches' in condition) return { lookUp: condition.matches, path: ['matches'] };
  if ('in' in condition && isLookUp(condition.in)) return { lookUp: condition.in, path: ['in'] };
  return 'notIn' in condition && isLookUp(condition.notIn)
    ? { lookUp: condition.notIn, path: ['notIn'] }
    : undefined;
}

const checkLiteral = (value: Literal, type: FieldType, path: Path): Mistake[] =>
  [describeMisfit(value, type)].flatMap((message) => (message ? [{ path, message }] : []));

function checkViewer(attribute: ViewerAttribute, type: FieldType, path: Path): Mistake[] {
  if (type === 'text') return [];
  return [
    {
      path,
      message: `is ${describeType(type)}, but the reader's ${attribute} is text; use a text field`,
    },
  ];
}

function checkList(list: ValueList, type: FieldType, path: Path): Mistake[] {
  if (Array.isArray(list))
    return list.flatMap((value, index) => checkLiteral(value, type, [...path, index]));
  // `checkLookUps` checks look-ups once all datasets are known.
  return isLookUp(list) ? [] : checkViewer(list.viewer, type, path);
}

function checkRange([from, to]: [Literal, Literal], type: FieldType): Mistake[] {
  const mistakes = [from, to].flatMap((value, index) =>
    checkLiteral(value, type, ['between', index]),
  );
  if (mistakes.length > 0 || !isReversed(from, to, type)) return mistakes;
  return [{ path: ['between'], message: `is never between ${from} and ${to}; swap the values` }];
}

function checkEquals(
  { equals }: Extract<FieldCondition, { equals: unknown }>,
  type: FieldType,
): Mistake[] {
  if (typeof equals !== 'object') return checkLiteral(equals, type, ['equals']);
  if (equals.viewer === 'email' || equals.viewer === 'department')
    return checkViewer(equals.viewer, type, ['equals']);
  const message = `cannot equal several values, and a reader can have several ${equals.viewer}; write in: { viewer: ${equals.viewer} }`;
  return [{ path: ['equals'], message }];
}

/** The literals of a condition, with their paths. */
function listLiterals(condition: FieldCondition): [Literal, Path][] {
  if ('equals' in condition)
    return typeof condition.equals === 'object' ? [] : [[condition.equals, ['equals']]];
  for (const [operator, list] of [
    ['in', 'in' in condition && condition.in],
    ['notIn', 'notIn' in condition && condition.notIn],
  ] as const)
    if (Array.isArray(list)) return list.map((value, index) => [value, [operator, index]]);
  return [];
}

function checkSplit(condition: FieldCondition, split: string, type: FieldType): Mistake[] {
  if (type !== 'text')
    return [
      {
        path: ['split'],
        message: `is ${describeType(type)}, and only text can be split; remove split, or give the field "type: text"`,
      },
    ];
  return listLiterals(condition)
    .filter(([value]) => value === '' || String(value).includes(split))
    .map(([value, path]) => ({
      path,
      message: `is split at ${JSON.stringify(split)}, so no part of it is ${JSON.stringify(value)}; write one part`,
    }));
}

function checkCondition(condition: FieldCondition, type: FieldType): Mistake[] {
  if ('split' in condition && condition.split !== undefined) {
    const mistakes = checkSplit(condition, condition.split, type);
    if (mistakes.length > 0) return mistakes;
  }
  const needsOrder = 'between' in condition || 'before' in condition || 'after' in condition;
  if (needsOrder && type === 'boolean') {
    const path = Object.keys(condition).filter((key) => key !== 'field');
    return [{ path, message: 'is a boolean, and booleans have no order; use equals' }];
  }
  if ('in' in condition) return checkList(condition.in, type, ['in']);
  if ('notIn' in condition) return checkList(condition.notIn, type, ['notIn']);
  if ('equals' in condition) return checkEquals(condition, type);
  if ('between' in condition) return checkRange(condition.between, type);
  if ('before' in condition) return checkLiteral(condition.before, type, ['before']);
  if ('after' in condition) return checkLiteral(condition.after, type, ['after']);
  return [];
}

/** Checks that the fields in roles exist and that values fit their types. */
export function checkRoles(
  roles: readonly Role[],
  fieldNames: readonly string[],
  /** `undefined`: the field has a mistake. */
  findField: (name: string) => ResolvedField | undefined,
  lost?: LostColumns,
): Issue[] {
  const issues: Issue[] = [];
  const names = new Set(fieldNames);
  for (const [role, condition, path] of listRoleConditions(roles)) {
    if (issues.length > maxIssues) break;
    const missing = fieldsOf(condition).filter(({ name }) => !names.has(name));
    for (const { name, path: place } of missing)
      issues.push({
        path: [...path, ...place],
        message: `${role.name}: ${describeMissing(name, fieldNames, lost)}`,
        ...('matches' in condition && { isKey: true }),
      });
    if (missing.length > 0 || 'matches' in condition) continue;
    const name = condition.field;
    const field = findField(name);
    for (const mistake of field ? checkCondition(condition, field.type) : [])
      issues.push({
        path: [...path, ...mistake.path],
        message: `${role.name}: ${JSON.stringify(name)} ${mistake.message}`,
      });
  }
  return issues;
}

/** The fields of the looked-up dataset, with the types that they must have. */
function listWanted(
  { lookUp }: FoundLookUp,
  condition: Condition,
  typeOf: (field: string) => FieldType | undefined,
): { path: Path; name: string; wanted: readonly FieldType[] }[] {
  const values: [Path, string, FieldType | undefined][] =
    'fields' in lookUp
      ? Object.entries(lookUp.fields).map(([own, name]) => [['fields', own], name, typeOf(own)])
      : [[['value'], lookUp.value, 'field' in condition ? typeOf(condition.field) : undefined]];
  return [
    { path: ['key'], name: lookUp.key, wanted: ['text'] },
    ...('through' in lookUp && lookUp.through !== undefined
      ? [{ path: ['through'], name: lookUp.through, wanted: ['text'] as const }]
      : []),
    ...values.flatMap(([path, name, type]) =>
      type === undefined
        ? []
        : [
            {
              path,
              name,
              // The parts of a text can be values of any type.
              wanted: lookUp.split === undefined ? [type] : ([type, 'text'] as const),
            },
          ],
    ),
  ];
}

function checkLookUp(
  found: FoundLookUp,
  condition: Condition,
  typeOf: (field: string) => FieldType | undefined,
  datasets: ReadonlyMap<string, DraftDataset | undefined>,
): Mistake[] {
  const { lookUp } = found;
  if (!datasets.has(lookUp.lookup))
    return [
      { path: ['lookup'], message: describeUnknown('dataset', lookUp.lookup, datasets.keys()) },
    ];
  const dataset = datasets.get(lookUp.lookup);
  if (!dataset) return [];
  const mistakes = listWanted(found, condition, typeOf).flatMap(({ path, name, wanted }) => {
    const field = dataset.fields.get(name);
    if (dataset.broken.has(name)) return [];
    if (field && wanted.some((type) => isSameKind(field.type, type))) return [];
    // `checkRounded` reports it.
    if ((path[0] === 'key' || path[0] === 'through') && field?.type === 'number') return [];
    const message = field
      ? `${path[0] === 'fields' ? JSON.stringify(path[1]) : path[0]} must be ${wanted.map(describeType).join(' or ')}, but "${name}" of ${lookUp.lookup} is ${describeType(field.type)}; write another field`
      : describeUnknown(`field in ${lookUp.lookup}:`, name, dataset.fields.keys());
    return [{ path, message }];
  });
  return [...mistakes, ...checkThrough(lookUp)];
}

/** With the same field as parent, the walk would never leave the first level, or go up. */
function checkThrough(lookUp: LookUp | Match): Mistake[] {
  if (!('through' in lookUp) || lookUp.through === undefined) return [];
  const same = (['key', 'value'] as const).find((property) => lookUp[property] === lookUp.through);
  return same
    ? [
        {
          path: ['through'],
          message: `through and ${same} are the same field; for through, write the field that contains the manager's key`,
        },
      ]
    : [];
}

/** What two look-ups have in common if they read the same rows for a reader. */
const nameRows = (lookUp: LookUp): string =>
  JSON.stringify([lookUp.lookup, lookUp.key, lookUp.viewer, lookUp.through ?? null]);

/** The conditions that must all be true, with their paths. */
const listAnded = (rows: RowPredicate, path: Path): [RowPredicate, Path][] =>
  'and' in rows
    ? rows.and.flatMap((part, index) => listAnded(part, [...path, 'and', index]))
    : [[rows, path]];

/** A name as YAML reads it. */
const writeYaml = (name: string): string =>
  /^[A-Za-z_][\w -]*$/.test(name) ? name : JSON.stringify(name);

/** Every `and` of a role that is not a part of another one. */
function* listAnds(rows: RowPredicate, path: Path): Generator<[RowPredicate, Path][]> {
  const parts: [RowPredicate, Path][] =
    'or' in rows
      ? rows.or.map((part, index) => [part, [...path, 'or', index]])
      : 'not' in rows
        ? [[rows.not, [...path, 'not']]]
        : [];
  if ('and' in rows) {
    const anded = listAnded(rows, path);
    yield anded;
    for (const [part, place] of anded) yield* listAnds(part, place);
  }
  for (const [part, place] of parts) yield* listAnds(part, place);
}

/**
 * Issues for look-ups of the same rows under one `and`, which allow every pair of their values, and not
 * only the pairs of one row.
 */
export function checkCrossProducts({ roles }: Pick<DraftDataset, 'roles'>): Issue[] {
  const issues: Issue[] = [];
  for (const [index, { name, rows }] of roles.entries()) {
    if (rows === 'all') continue;
    for (const anded of listAnds(rows, ['roles', index, 'rows'])) {
      const known = new Map<string, { field: string; lookUp: LookUp }>();
      for (const [part, path] of anded) {
        if (!('in' in part) || !isLookUp(part.in)) continue;
        const lookUp = part.in;
        const first = known.get(nameRows(lookUp));
        if (!first) known.set(nameRows(lookUp), { field: part.field, lookUp });
        else if (first.lookUp.value !== lookUp.value)
          issues.push({
            path: [...path, 'in'],
            message: `${name}: two look-ups in ${lookUp.lookup} under one and allow every "${first.lookUp.value}" with every "${lookUp.value}"; to allow those of one row only, write matches: { lookup: ${lookUp.lookup}, key: ${writeYaml(lookUp.key)}, fields: { ${[first, { ...part, lookUp }].map((each) => `${writeYaml(each.field)}: ${writeYaml(each.lookUp.value)}`).join(', ')} } }`,
          });
      }
    }
  }
  return limitIssues(issues);
}

/**
 * Checks the look-ups of a dataset's roles.
 *
 * @param datasets all datasets of the organization by slug; `undefined` if its columns are unknown
 */
export function checkLookUps(
  dataset: DraftDataset,
  datasets: ReadonlyMap<string, DraftDataset | undefined>,
): Issue[] {
  const issues: Issue[] = [];
  const typeOf = (field: string) => dataset.fields.get(field)?.type;
  for (const [role, condition, path] of listRoleConditions(dataset.roles)) {
    if (issues.length > maxIssues) break;
    const found = findLookUp(condition);
    // `checkRoles` reports fields that do not exist.
    if (!found || !fieldsOf(condition).every(({ name }) => dataset.fields.has(name))) continue;
    for (const mistake of checkLookUp(found, condition, typeOf, datasets))
      issues.push({
        path: [...path, ...found.path, ...mistake.path],
        message: `${role.name}: ${mistake.message}`,
      });
  }
  return limitIssues(issues);
}
