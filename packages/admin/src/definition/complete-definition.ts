import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import datasetSchema from '@portal-embed/report-model/schemas/dataset.schema.json';
import reportSchema from '@portal-embed/report-model/schemas/report.schema.json';

import type { DefinitionNames } from '../requests/definitions.ts';
import { findCursor } from './find-cursor.ts';

/** The parts of a JSON Schema that completion uses. */
interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  description?: string;
  enum?: string[];
  const?: string;
}

/** Keys whose values name fields or metrics of the dataset. */
const fieldKeys = new Set([
  'x',
  'color',
  'facet',
  'point',
  'field',
  'dimensions',
  'rows',
  'columns',
  'time',
]);
const metricKeys = new Set(['metric', 'metrics', 'y', 'size', 'target']);

/** Completes keys, types and the names of the dataset. */
export function completeDefinition(
  context: CompletionContext,
  { kind, names }: { kind: 'reports' | 'datasets'; names: DefinitionNames },
): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = context.state.sliceDoc(0, context.pos).split('\n');
  const text = line.text.slice(0, context.pos - line.from);
  const cursor = findCursor(before);
  const word = /[^\s:[\],'"-][^:[\],'"]*$/.exec(text)?.[0] ?? '';
  if (word === '' && !context.explicit && !/[:\s-]$/.test(text)) return null;
  const root = (kind === 'reports' ? reportSchema : datasetSchema) as Schema;
  const schemas = cursor.path.reduce(
    (found, part) => found.flatMap((schema) => step(root, schema, part, undefined)),
    resolve(root, root),
  );
  const last = cursor.path.findLast((part) => part !== '[]');
  const owner = cursor.key ?? last ?? '';
  const isName = cursor.key !== undefined || cursor.path.at(-1) === '[]';
  const options = isName ? listValues(owner, names) : [];
  if (cursor.key === undefined) options.push(...listKeys(schemas, cursor.type));
  else
    options.push(
      ...schemas
        .flatMap((schema) => step(root, schema, cursor.key!, cursor.type))
        .flatMap(listChoices),
    );
  if (options.length === 0) return null;
  const unique = [...new Map(options.map((option) => [option.label, option])).values()];
  return { from: context.pos - word.length, options: unique, validFor: /^[^:[\],'"]*$/ };
}

function listValues(owner: string, names: DefinitionNames): Completion[] {
  if (owner === 'dataset' || owner === 'lookup') return toOptions(names.datasets, 'constant');
  if (metricKeys.has(owner)) return toOptions(names.metrics, 'variable');
  if (fieldKeys.has(owner)) return toOptions(names.fields, 'property');
  if (owner === 'sort') return toOptions([...names.metrics, ...names.fields], 'variable');
  return [];
}

const toOptions = (labels: readonly string[], type: string): Completion[] =>
  labels.map((label) => ({ label, type }));

const listKeys = (schemas: readonly Schema[], type: string | undefined): Completion[] =>
  schemas
    .filter((schema) => isOfType(schema, type))
    .flatMap(({ properties = {} }) =>
      Object.entries(properties).map(([label, { description = '' }]) => ({
        label,
        apply: `${label}: `,
        type: 'keyword',
        detail: description,
      })),
    );

const listChoices = ({ enum: choices, const: only }: Schema): Completion[] =>
  toOptions([...(choices ?? []), ...(typeof only === 'string' ? [only] : [])], 'enum');

/** Whether a schema is that of a tile of this type, or no schema of a tile. */
const isOfType = ({ properties }: Schema, type: string | undefined): boolean =>
  type === undefined || (properties?.['type']?.const ?? type) === type;

/** The schemas of a key of a map, or of the items of a list. */
function step(root: Schema, schema: Schema, part: string, type: string | undefined): Schema[] {
  if (!isOfType(schema, type)) return [];
  const next = part === '[]' ? schema.items : schema.properties?.[part];
  return next ? resolve(root, next) : [];
}

/** A schema and its alternatives, with references resolved. */
function resolve(root: Schema, schema: Schema): Schema[] {
  const name = schema.$ref?.split('/').at(-1);
  const target = name === undefined ? undefined : root.$defs?.[name];
  if (target) return resolve(root, target);
  const { anyOf = [], oneOf = [] } = schema;
  return [schema, ...[...anyOf, ...oneOf].flatMap((each) => resolve(root, each))];
}
