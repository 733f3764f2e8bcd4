import { describeType, isSameKind } from '../expression/types.ts';
import type { FieldType, Role } from '../files/dataset.ts';
import type {
  Condition,
  Literal,
  LookUp,
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

/** The fields that roles compare. */
export const listConditionFields = (roles: readonly Role[]): string[] =>
  [...listRoleConditions(roles)].map(([, { field }]) => field);

export const isLookUp = (value: ValueList): value is LookUp => 'lookup' in value;

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
  { equals }: Extract<Condition, { equals: unknown }>,
  type: FieldType,
): Mistake[] {
  if (typeof equals !== 'object') return checkLiteral(equals, type, ['equals']);
  if (equals.viewer === 'email' || equals.viewer === 'department')
    return checkViewer(equals.viewer, type, ['equals']);
  const message = `cannot equal several values, and a reader can have several ${equals.viewer}; write in: { viewer: ${equals.viewer} }`;
  return [{ path: ['equals'], message }];
}

function checkCondition(condition: Condition, type: FieldType): Mistake[] {
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
    const name = condition.field;
    if (!names.has(name)) {
      const message = `${role.name}: ${describeMissing(name, fieldNames, lost)}`;
      issues.push({ path: [...path, 'field'], message });
      continue;
    }
    const field = findField(name);
    for (const mistake of field ? checkCondition(condition, field.type) : [])
      issues.push({
        path: [...path, ...mistake.path],
        message: `${role.name}: ${JSON.stringify(name)} ${mistake.message}`,
      });
  }
  return issues;
}

function checkLookUp(
  lookUp: LookUp,
  type: FieldType,
  datasets: ReadonlyMap<string, DraftDataset | undefined>,
): Mistake[] {
  if (!datasets.has(lookUp.lookup))
    return [
      { path: ['lookup'], message: describeUnknown('dataset', lookUp.lookup, datasets.keys()) },
    ];
  const dataset = datasets.get(lookUp.lookup);
  if (!dataset) return [];
  const checkField = (property: 'key' | 'value', wanted: FieldType): Mistake[] => {
    const name = lookUp[property];
    const field = dataset.fields.get(name);
    if (dataset.broken.has(name) || (field && isSameKind(field.type, wanted))) return [];
    // `checkRounded` reports it.
    if (property === 'key' && field?.type === 'number') return [];
    const message = field
      ? `${property} must be ${describeType(wanted)}, but "${name}" of ${lookUp.lookup} is ${describeType(field.type)}; write another field`
      : describeUnknown(`field in ${lookUp.lookup}:`, name, dataset.fields.keys());
    return [{ path: [property], message }];
  };
  return [...checkField('key', 'text'), ...checkField('value', type)];
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
  for (const [role, condition, path] of listRoleConditions(dataset.roles)) {
    if (issues.length > maxIssues) break;
    const [operator, list] =
      'in' in condition
        ? (['in', condition.in] as const)
        : (['notIn', 'notIn' in condition ? condition.notIn : []] as const);
    const type = dataset.fields.get(condition.field)?.type;
    if (!type || !isLookUp(list)) continue;
    for (const mistake of checkLookUp(list, type, datasets))
      issues.push({
        path: [...path, operator, ...mistake.path],
        message: `${role.name}: ${mistake.message}`,
      });
  }
  return limitIssues(issues);
}
