import reportSchema from '@portal-embed/report-model/schemas/report.schema.json';

/** The parts of the JSON Schema of tiles that the form uses. */
interface Schema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  const?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  $ref?: string;
}

const kindsOfNames = new Map([
  ['#/$defs/metric', 'metric'],
  ['#/$defs/dimension', 'field'],
  ['#/$defs/column', 'column'],
] as const) as ReadonlyMap<string, 'metric' | 'field' | 'column'>;

/** How a property is entered. */
export type PropertyInput =
  | { kind: 'metric' | 'field' | 'column' | 'target' | 'boolean' | 'rules' | 'links' }
  /** `isSingle` if one entry is written without a list. */
  | { kind: 'metrics' | 'fields'; min: number; max: number; isSingle: boolean }
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'text'; maxLength: number };

export interface Property {
  name: string;
  isRequired: boolean;
  /** The description of the schema, in English. */
  help: string | undefined;
  default: unknown;
  input: PropertyInput;
}

/** Properties that every tile has are the last ones of the form. */
const lastNames = new Set(['title', 'description', 'width']);

const schemas = reportSchema.properties.pages.items.properties.rows.items.properties.tiles.items
  .oneOf as readonly Schema[];

const byType: ReadonlyMap<string, readonly Property[]> = new Map(
  schemas.map((schema) => [schema.properties!['type']!.const!, readProperties(schema)]),
);

export const tileTypes = [...byType.keys()];

/** The properties of a type of tile, in the order of the form; none of an unknown type. */
export const listProperties = (type: unknown): readonly Property[] =>
  (typeof type === 'string' ? byType.get(type) : undefined) ?? [];

function readProperties({ properties = {}, required = [] }: Schema): Property[] {
  const found = Object.entries(properties)
    .filter(([name]) => name !== 'type')
    .map(([name, schema]) => ({
      name,
      isRequired: required.includes(name),
      help: schema.description,
      default: schema.default,
      input: readInput(name, schema),
    }));
  const isLast = ({ name }: Property) => lastNames.has(name);
  return [...found.filter((each) => !isLast(each)), ...found.filter(isLast)];
}

function readInput(name: string, schema: Schema): PropertyInput {
  if (name === 'conditionalFormat') return { kind: 'rules' };
  if (name === 'links') return { kind: 'links' };
  const list = schema.items ? schema : schema.anyOf?.find(({ items }) => items);
  if (list) {
    const kind = findNames(list.items!) === 'metric' ? 'metrics' : 'fields';
    const { minItems: min = 0, maxItems: max = 1 } = list;
    return { kind, min, max, isSingle: list !== schema };
  }
  if (schema.anyOf) return { kind: 'target' };
  const names = findNames(schema);
  if (names) return { kind: names };
  if (schema.enum) return { kind: 'choice', choices: schema.enum };
  if (schema.type === 'boolean') return { kind: 'boolean' };
  if (schema.type === 'integer')
    return { kind: 'number', min: schema.minimum ?? 0, max: schema.maximum ?? 0 };
  return { kind: 'text', maxLength: schema.maxLength ?? 0 };
}

/** Which names of the dataset a property takes. They have definitions of their own. */
function findNames({ $ref = '' }: Schema) {
  return kindsOfNames.get($ref);
}
