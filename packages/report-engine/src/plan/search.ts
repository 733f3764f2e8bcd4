import type {
  FieldType,
  ResolvedDataset,
  ResolvedDimension,
  ResolvedField,
  TypedExpression,
} from '@portal-embed/report-model';

import { anyOf, isIn } from './compare.ts';
import type { Condition } from './plan.ts';

/** Whether a field contains a text, in any letter case. */
export function containsText(
  { type, expression }: Pick<ResolvedField, 'type' | 'expression'>,
  search: string,
): Condition {
  const text: TypedExpression =
    type === 'text' ? expression : { kind: 'cast', type: 'text', operand: expression };
  const part: TypedExpression = { kind: 'literal', type: 'text', value: search };
  const isFound: TypedExpression = {
    kind: 'call',
    function: 'contains',
    type: 'boolean',
    arguments: [lower(text), lower(part)],
  };
  return isIn({ type: 'boolean', expression: isFound }, ['true']);
}

const lower = (text: TypedExpression): TypedExpression => ({
  kind: 'call',
  function: 'lower',
  type: 'text',
  arguments: [text],
});

/** Readers see times and booleans in words of their language, which the data does not contain. */
const searched: ReadonlySet<FieldType> = new Set(['text', 'integer', 'decimal', 'number']);

/** Whether readers can search the rows of a table by a dimension. */
export const isSearched = ({ type, grain }: ResolvedDimension): boolean =>
  grain === undefined && searched.has(type);

/** The rows whose value in at least one of the dimensions contains a text. */
export const searchDimensions = (
  { fields }: Pick<ResolvedDataset, 'fields'>,
  dimensions: readonly ResolvedDimension[],
  text: string,
): Condition =>
  anyOf(
    dimensions.filter(isSearched).flatMap(({ field }) => {
      const known = fields.get(field);
      return known ? [containsText(known, text)] : [];
    }),
  );
