import type { Hierarchy } from '../files/dataset.ts';
import type { Issue } from '../issues/issue.ts';
import { findDuplicates, type Found } from './resolve-names.ts';

/**
 * Lists the issues of hierarchies.
 *
 * @param findField finds a field by its name, or returns a message
 */
export function checkHierarchies(
  hierarchies: readonly Hierarchy[],
  findField: (name: string) => Found<object>,
): Issue[] {
  const ofFields = hierarchies.flatMap(({ name, fields }, index) =>
    fields.flatMap((field, position) => {
      const problem =
        fields.indexOf(field) < position
          ? `${JSON.stringify(field)} is listed twice; remove one`
          : findField(field);
      const path = ['hierarchies', index, 'fields', position];
      return typeof problem === 'string' ? [{ path, message: `${name}: ${problem}` }] : [];
    }),
  );
  return [...findDuplicates(hierarchies, ['hierarchies'], 'hierarchy'), ...ofFields];
}
