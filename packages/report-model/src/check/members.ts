import { describeType } from '../expression/types.ts';
import type { FieldDefinition, FieldType } from '../files/dataset.ts';
import type { Issue } from '../issues/issue.ts';

/** Checks the values in the order and the colors of a field. `path` leads to the field. */
export function checkMembers(
  { name, order = [], colors }: FieldDefinition,
  type: FieldType,
  path: Issue['path'],
): Issue[] {
  const isBoolean = type === 'boolean';
  if (!isBoolean && type !== 'text')
    return [...(order.length > 0 ? ['order'] : []), ...(colors ? ['colors'] : [])].map(
      (property) => ({
        path: [...path, property],
        message: `${name}: only text, true and false can have ${property}, but the field is ${describeType(type)}; remove ${property}, or give the field "type: text"`,
      }),
    );
  const advice = isBoolean ? 'true or false; write true or false' : 'text; put it in quotes';
  const describe = (value: unknown) => `${name}: ${JSON.stringify(value)} is not ${advice}`;
  return [
    ...order.flatMap((value, index) =>
      (typeof value === 'boolean') === isBoolean
        ? []
        : [{ path: [...path, 'order', index], message: describe(value) }],
    ),
    ...Object.keys(colors ?? {}).flatMap((value) =>
      !isBoolean || value === 'true' || value === 'false'
        ? []
        : [{ path: [...path, 'colors', value], message: describe(value) }],
    ),
  ];
}
