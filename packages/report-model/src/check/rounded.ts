import type { FieldType, Role } from '../files/dataset.ts';
import type { Condition } from '../files/predicate.ts';
import type { Issue } from '../issues/issue.ts';
import { fieldsOf, findLookUp, listConditions } from './check-predicate.ts';
import type { DraftDataset } from './resolved.ts';

/** A field of type `number` that a role compares for equality. */
export interface RoundedField {
  field: string;
  /** The dataset in which the role looks the field up; `undefined` for its own one. */
  lookUp: string | undefined;
  /** From the rows of the role. */
  path: Issue['path'];
}

const operators = ['in', 'notIn', 'equals', 'matches'] as const;

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
    if (!operators.some((name) => name in condition)) return [];
    const own = fieldsOf(condition).map((each) => ({
      field: each.name,
      lookUp: undefined,
      path: each.path,
    }));
    return [...own, ...listLookedUp(condition)]
      .filter(
        ({ field, lookUp }) =>
          (lookUp === undefined ? typeOf(field) : typeIn(lookUp, field)) === 'number',
      )
      .map(({ field, lookUp, path: place }) => ({ field, lookUp, path: [...path, ...place] }));
  });
}

/** The fields of the other dataset that a condition uses. */
function listLookedUp(condition: Condition): RoundedField[] {
  const found = findLookUp(condition);
  if (!found) return [];
  const { lookUp, path } = found;
  const properties: [string[], string | undefined][] = [
    [['key'], lookUp.key],
    ...('fields' in lookUp
      ? Object.entries(lookUp.fields).map(([own, name]): [string[], string] => [
          ['fields', own],
          name,
        ])
      : ([
          [['value'], lookUp.value],
          [['through'], lookUp.through],
        ] as [string[], string | undefined][])),
  ];
  return properties.flatMap(([property, field]) =>
    field === undefined ? [] : [{ field, lookUp: lookUp.lookup, path: [...path, ...property] }],
  );
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
