import type {
  FieldType,
  Literal,
  LookUp,
  Match,
  RowPredicate,
  ViewerAttribute,
} from '@portal-embed/report-model';

export const viewerAttributes = ['email', 'department', 'groups', 'companies'] as const;

export const roleOperators = [
  'in',
  'notIn',
  'viewer',
  'lookup',
  'notLookup',
  'matches',
  'between',
  'before',
  'after',
  'blank',
  'notBlank',
] as const;

export type RoleOperator = (typeof roleOperators)[number];

/** One condition of a role, with a value for each control of its form. */
export interface RoleCondition {
  /** Empty for `matches`, which has `pairs`. */
  field: string;
  operator: RoleOperator;
  /** As texts; of `between` the smallest and the largest one. */
  values: readonly string[];
  attribute: ViewerAttribute;
  /** Separator of several values in one cell. */
  split: string;
  /** Slug of the dataset in which values are looked up, and fields of it. */
  lookup: string;
  key: string;
  value: string;
  through: string;
  /** Of `matches`: field of this dataset, field of the other one. */
  pairs: readonly (readonly [own: string, other: string])[];
}

export interface RoleRows {
  /** `all`: every row. `and`: rows that match all conditions. `or`: rows that match one of them. */
  kind: 'all' | 'and' | 'or';
  conditions: readonly RoleCondition[];
}

export const emptyCondition: RoleCondition = {
  field: '',
  operator: 'in',
  values: [],
  attribute: 'email',
  split: '',
  lookup: '',
  key: '',
  value: '',
  through: '',
  pairs: [['', '']],
};

type TypeOf = (field: string) => FieldType | undefined;

/** Reads the rows of a role; `undefined` if a form cannot show them, such as nested conditions. */
export function readRows(rows: unknown): RoleRows | undefined {
  if (rows === 'all') return { kind: 'all', conditions: [] };
  if (!isRecord(rows)) return undefined;
  for (const kind of ['and', 'or'] as const) {
    const parts = rows[kind];
    if (!Array.isArray(parts) || Object.keys(rows).length !== 1) continue;
    const conditions = parts.map((part: unknown) => readCondition(part));
    return conditions.every((each) => each !== undefined) ? { kind, conditions } : undefined;
  }
  const condition = readCondition(rows);
  return condition && { kind: 'and', conditions: [condition] };
}

function readCondition(part: unknown): RoleCondition | undefined {
  if (!isRecord(part)) return undefined;
  const { field, split, ...rest } = part;
  const [entry, ...others] = Object.entries(rest);
  if (!entry || others.length > 0) return undefined;
  const shared = {
    ...emptyCondition,
    field: typeof field === 'string' ? field : '',
    split: typeof split === 'string' ? split : '',
  };
  const [operator, value] = entry;
  if (operator === 'matches') return isRecord(value) ? readMatch(shared, value) : undefined;
  if (operator === 'in' || operator === 'notIn') return readList(shared, operator, value);
  if (operator === 'isNull') return { ...shared, operator: value === true ? 'blank' : 'notBlank' };
  if (operator === 'equals')
    return isRecord(value)
      ? readList(shared, 'in', value)
      : isLiteral(value)
        ? { ...shared, operator: 'in', values: [String(value)] }
        : undefined;
  if (operator === 'before' || operator === 'after')
    return isLiteral(value) ? { ...shared, operator, values: [String(value)] } : undefined;
  if (operator === 'between' && Array.isArray(value) && value.every(isLiteral))
    return { ...shared, operator, values: value.map(String) };
  return undefined;
}

function readList(
  shared: RoleCondition,
  operator: 'in' | 'notIn',
  value: unknown,
): RoleCondition | undefined {
  if (Array.isArray(value))
    return value.every(isLiteral) ? { ...shared, operator, values: value.map(String) } : undefined;
  if (!isRecord(value)) return undefined;
  const texts = value as Partial<LookUp>;
  const attribute = texts.viewer ?? 'email';
  if (texts.lookup === undefined)
    return operator === 'in' ? { ...shared, operator: 'viewer', attribute } : undefined;
  // The separator of a look-up belongs to the other dataset, and one of the field to this one.
  if (texts.split !== undefined && shared.split !== '') return undefined;
  if (shared.split !== '') return undefined;
  return {
    ...shared,
    operator: operator === 'in' ? 'lookup' : 'notLookup',
    attribute,
    lookup: texts.lookup,
    key: texts.key ?? '',
    value: texts.value ?? '',
    through: texts.through ?? '',
    split: texts.split ?? '',
  };
}

function readMatch(shared: RoleCondition, value: Record<string, unknown>): RoleCondition {
  const match = value as Partial<Match>;
  return {
    ...shared,
    operator: 'matches',
    attribute: match.viewer ?? 'email',
    lookup: match.lookup ?? '',
    key: match.key ?? '',
    split: match.split ?? '',
    pairs: Object.entries(match.fields ?? {}),
  };
}

/** Writes the rows of a role; `undefined` if something is missing. */
export function writeRows(
  { kind, conditions }: RoleRows,
  typeOf: TypeOf,
): RowPredicate | 'all' | undefined {
  if (kind === 'all') return 'all';
  const written = conditions.map((condition) => writeCondition(condition, typeOf));
  const [first] = written;
  if (!first || !written.every((each) => each !== undefined)) return undefined;
  if (written.length === 1) return first;
  return kind === 'and' ? { and: written } : { or: written };
}

function writeCondition(condition: RoleCondition, typeOf: TypeOf): RowPredicate | undefined {
  const { field, operator, attribute } = condition;
  if (operator === 'matches') return writeMatch(condition);
  if (field === '') return undefined;
  const type = typeOf(field);
  const values = condition.values.map((value) => toLiteral(value, type));
  const split = condition.split === '' ? {} : { split: condition.split };
  switch (operator) {
    case 'in':
      return values.length === 0 ? undefined : { field, in: values, ...split };
    case 'notIn':
      return values.length === 0 ? undefined : { field, notIn: values, ...split };
    case 'viewer':
      return { field, in: { viewer: attribute }, ...split };
    case 'lookup':
    case 'notLookup': {
      const lookUp = writeLookUp(condition);
      if (!lookUp) return undefined;
      return operator === 'lookup' ? { field, in: lookUp } : { field, notIn: lookUp };
    }
    case 'between': {
      const [from, to] = values;
      return from === undefined || to === undefined || condition.values.includes('')
        ? undefined
        : { field, between: [from, to] };
    }
    case 'before':
    case 'after': {
      const [value] = values;
      if (value === undefined || value === '') return undefined;
      return operator === 'before' ? { field, before: value } : { field, after: value };
    }
    case 'blank':
      return { field, isNull: true };
    case 'notBlank':
      return { field, isNull: false };
  }
}

function writeLookUp({ lookup, key, value, through, attribute, split }: RoleCondition) {
  if (lookup === '' || key === '' || value === '') return undefined;
  return {
    lookup,
    key,
    value,
    ...(attribute !== 'email' && { viewer: attribute }),
    ...(through !== '' && { through }),
    ...(split !== '' && { split }),
  } as LookUp;
}

function writeMatch({ lookup, key, pairs, attribute, split }: RoleCondition) {
  const isMissing = pairs.some(([own, other]) => own === '' || other === '');
  if (lookup === '' || key === '' || pairs.length === 0 || isMissing) return undefined;
  const matches = {
    lookup,
    key,
    fields: Object.fromEntries(pairs),
    ...(attribute !== 'email' && { viewer: attribute }),
    ...(split !== '' && { split }),
  } as Match;
  return { matches };
}

/** A value in the type of its field. Numbers that a double would round stay text. */
function toLiteral(value: string, type: FieldType | undefined): Literal {
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  const isNumber = type === 'number' || type === 'integer' || type === 'decimal';
  return isNumber && String(Number(value)) === value ? Number(value) : value;
}

const isLiteral = (value: unknown): value is Literal =>
  ['string', 'number', 'boolean'].includes(typeof value);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
