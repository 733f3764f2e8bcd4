import type { FieldType } from '../files/dataset.ts';
import type { ViewerAttribute } from '../files/predicate.ts';

/** What a role allows, in parts that a page puts into words of the reader's language. */
export type RoleText =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; parts: RoleText[] }
  | { kind: 'not'; part: RoleText }
  /** The first values of `count`. None under `not`, because they are values of rows that are hidden. */
  | { kind: 'values'; field: string; type: FieldType; values: string[]; count: number }
  | { kind: 'range'; field: string; from?: string; to?: string }
  | { kind: 'before' | 'after'; field: string; value: string }
  | { kind: 'blank'; field: string }
  | { kind: 'viewer'; field: string; attribute: ViewerAttribute }
  /** `dataset` is the name of the other dataset. With `levels`, those below the reader count, too. */
  | { kind: 'look-up'; fields: string[]; dataset: string; levels: boolean };
