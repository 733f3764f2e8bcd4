import type { FieldType, Role } from '../files/dataset.ts';
import type { Condition, LookUp } from '../files/predicate.ts';
import type { Issue } from '../issues/issue.ts';
import { isLookUp, listConditions } from './check-predicate.ts';
import type { DraftDataset } from './resolved.ts';

/** A field of type `number` that a role compares for equality. */
export interface RoundedField {
  field: string;
  /** The dataset in which the role looks the field up; `undefined` for its own one. */
  lookUp: string | undefined;
  /** From the rows of the role. */
  path: Issue['path'];
}

const operators = ['in', 'notIn', 'equals'] as const;

/**
 * Lists the fields of type `number` that a role compares for equality. A double rounds long values, so
 * that a role would show rows of other accounts.
 */
export function listRoundedFields(
  rows: Role['rows'],
  typeOf: (field: string) => FieldType | undefined,
  typeIn: (dataset: string, field: string) => FieldType | undefined,
): RoundedField[] {
  if (rows === 'all') return [];
  return [...listConditions(rows, [])].flatMap(([condition, path]) => {
    const operator = operators.find((name) => name in condition);
    if (!operator) return [];
    const { field } = condition;
    const found: RoundedField[] = [];
    if (typeOf(field) === 'number')
      found.push({ field, lookUp: undefined, path: [...path, 'field'] });
    const lookUp = readLookUp(condition);
    for (const property of lookUp ? (['key', 'value'] as const) : [])
      if (lookUp && typeIn(lookUp.lookup, lookUp[property]) === 'number')
        found.push({
          field: lookUp[property],
          lookUp: lookUp.lookup,
          path: [...path, operator, property],
        });
    return found;
  });
}

function readLookUp(condition: Condition): LookUp | undefined {
  const list =
    'in' in condition ? condition.in : 'notIn' in condition ? condition.notIn : undefined;
  return list && isLookUp(list) ? list : undefined;
}

/** Says why a role with this field gives no rows, and what to write. */
const describeRounded = ({ field, lookUp }: RoundedField): string =>
  `${JSON.stringify(field)}${lookUp === undefined ? '' : ` of ${lookUp}`} has the type number, which rounds long values, so the role would match values of others; use a field of type text, integer or decimal, or write between`;

/** Issues for the roles of a dataset that compare rounded numbers, each with the dataset of its field. */
export function checkRounded(
  { fields, roles }: DraftDataset,
  datasets: ReadonlyMap<string, DraftDataset | undefined>,
): (Issue & { lookUp: string | undefined })[] {
  return roles.flatMap(({ name, rows }, index) =>
    listRoundedFields(
      rows,
      (field) => fields.get(field)?.type,
      (dataset, field) => datasets.get(dataset)?.fields.get(field)?.type,
    ).map((found) => ({
      path: ['roles', index, 'rows', ...found.path],
      message: `${name}: ${describeRounded(found)}`,
      lookUp: found.lookUp,
    })),
  );
}
