import type {
  Key,
  LookUp,
  Match,
  ResolvedDataset,
  ResolvedField,
} from '@portal-embed/report-model';

import { ReportError, type Viewer } from '#platform';

import { allRows, everyOf, negate } from './compare.ts';
import type { Condition, PlanResult, QueryPlan } from './plan.ts';
import { matchesAttribute, matchesKeys, UnknownFieldError } from './roles.ts';

/** Maximum number of rows and values of a look-up for one reader. */
const maxRows = 50_000;

/** Maximum bytes of these values in UTF-8. Each query of the reader contains them. */
const maxBytes = 4_000_000;

/** Maximum number of levels below a reader. */
const maxLevels = 32;

/** A dataset in which a role looks up values. */
export interface LookUpSource {
  dataset: ResolvedDataset;
  run: (plan: QueryPlan) => Promise<PlanResult>;
}

/** A look-up returns more for one reader than a query can contain. To cut it could show a wrong number. */
export class LookUpLimitError extends ReportError {
  override name = 'LookUpLimitError';

  constructor({ lookup }: LookUp | Match, what: string, advice: string, options?: ErrorOptions) {
    super(
      'failed',
      `The look-up in "${lookup}" returns more than ${what} for one reader. ${advice}`,
      options,
    );
  }
}

const tooManyRows = (lookUp: LookUp | Match) =>
  new LookUpLimitError(
    lookUp,
    `${maxRows.toLocaleString('en')} rows`,
    'Give the reader a role with "rows: all", or look up a coarser field.',
  );

const tooMuchText = (lookUp: LookUp | Match, options?: ErrorOptions) =>
  new LookUpLimitError(
    lookUp,
    `${maxBytes / 1_000_000} MB of text`,
    'Use shorter values, or give the reader a role with "rows: all".',
    options,
  );

/**
 * Returns the values of a look-up for a reader, without rows that lack one. They are trimmed.
 *
 * @returns rows of one value for a `LookUp`, and of one for each field for a `Match`
 * @throws `LookUpLimitError`
 */
export async function readLookUp(
  source: LookUpSource,
  lookUp: LookUp | Match,
  viewer: Viewer,
): Promise<readonly (readonly string[])[]> {
  const key = requireField(source, lookUp, lookUp.key);
  const values = ('fields' in lookUp ? Object.values(lookUp.fields) : [lookUp.value]).map((name) =>
    requireField(source, lookUp, name),
  );
  const found =
    'through' in lookUp && lookUp.through !== undefined
      ? await new Tree(source, { ...lookUp, through: lookUp.through }, viewer).read()
      : await readRows(source, lookUp, matchesAttribute(viewer, lookUp.viewer, key), values);
  return cleanRows(lookUp, found);
}

/** Answers a plan of a look-up. An engine refuses a result that is too large before it is counted. */
async function runBounded(
  { run }: LookUpSource,
  lookUp: LookUp | Match,
  visible: Condition,
  chosen: Condition,
  fields: readonly ResolvedField[],
): Promise<Key[][]> {
  try {
    const { groups, groupCount } = await run({
      rows: { visible, chosen },
      dimensions: fields.map(({ expression }) => ({ expression })),
      metrics: [],
      order: [],
      limit: maxRows,
    });
    if (groupCount > maxRows) throw tooManyRows(lookUp);
    return groups.map(({ keys }) => keys);
  } catch (error) {
    if (error instanceof ReportError && error.reason === 'out_of_memory')
      throw tooMuchText(lookUp, { cause: error });
    throw error;
  }
}

function requireField(
  { dataset }: LookUpSource,
  { lookup }: LookUp | Match,
  name: string,
): ResolvedField {
  const field = dataset.fields.get(name);
  if (field) return field;
  throw new UnknownFieldError(
    `A role looks up the field "${name}" in "${lookup}", which does not have this field.`,
  );
}

/** The distinct values of rows that have all of them. */
async function readRows(
  source: LookUpSource,
  lookUp: LookUp | Match,
  visible: Condition,
  fields: readonly ResolvedField[],
): Promise<string[][]> {
  const areKnown = fields.map(({ expression }) => negate({ kind: 'null', operand: expression }));
  const rows = await runBounded(source, lookUp, visible, everyOf(areKnown), fields);
  return rows.map((keys) => keys.map(String));
}

/** Splits and trims values, and drops empty ones, which match no row. */
function cleanRows(
  lookUp: LookUp | Match,
  rows: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const { split } = lookUp;
  const clean = (text: string) =>
    (split === undefined ? [text] : text.split(split))
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const cleaned = new Map<string, readonly string[]>();
  let bytes = 0;
  for (const row of rows)
    for (const combined of combine(row.map(clean))) {
      const key = JSON.stringify(combined);
      if (cleaned.has(key)) continue;
      cleaned.set(key, combined);
      bytes += combined.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      if (cleaned.size > maxRows) throw tooManyRows(lookUp);
      if (bytes > maxBytes) throw tooMuchText(lookUp);
    }
  return [...cleaned.values()];
}

/** Each value of the first list with each one of the others. */
function* combine([first, ...others]: readonly (readonly string[])[]): Generator<string[]> {
  if (!first) yield [];
  else for (const value of first) for (const rest of combine(others)) yield [value, ...rest];
}

/** The rows of a reader, and of all levels below. A row names the key of the level above. */
class Tree {
  readonly #source: LookUpSource;
  readonly #lookUp: LookUp;
  readonly #viewer: Viewer;
  readonly #fields: Record<'key' | 'value' | 'parent', ResolvedField>;
  readonly #values = new Set<string>();
  /** Keys whose rows below are read, as they are compared. */
  readonly #visited = new Set<string>();

  constructor(source: LookUpSource, lookUp: LookUp & { through: string }, viewer: Viewer) {
    this.#source = source;
    this.#lookUp = lookUp;
    this.#viewer = viewer;
    const { key, value, through } = lookUp;
    this.#fields = {
      key: requireField(source, lookUp, key),
      value: requireField(source, lookUp, value),
      parent: requireField(source, lookUp, through),
    };
  }

  async read(): Promise<string[][]> {
    const lookUp = this.#lookUp;
    const own = this.#viewer[lookUp.viewer];
    // A row whose value is its key has nothing new if the key is known.
    const hasValues = lookUp.value !== lookUp.key;
    await this.#readLevel(this.#fields.key, own);
    let level = this.#visit(own);
    for (let depth = 1; level.length > 0; depth += 1) {
      const before = this.#values.size;
      level = this.#visit(await this.#readLevel(this.#fields.parent, level));
      const hasMore = level.length > 0 || (hasValues && this.#values.size > before);
      if (depth > maxLevels && hasMore)
        throw new LookUpLimitError(
          this.#lookUp,
          `${maxLevels} levels`,
          `Correct "${this.#lookUp.through}", or give the reader another role.`,
        );
    }
    return [...this.#values].map((value) => [value]);
  }

  /** The keys that are new, and not empty: an empty parent is no key. */
  #visit(keys: readonly string[]): string[] {
    const { viewer: attribute } = this.#lookUp;
    const fresh = keys.filter((key) => {
      const compared = attribute === 'email' ? key.toLowerCase() : key;
      if (key.trim() === '' || this.#visited.has(compared)) return false;
      this.#visited.add(compared);
      return true;
    });
    if (this.#visited.size > maxRows) throw tooManyRows(this.#lookUp);
    return fresh;
  }

  /** Keeps the values of the rows whose field has one of the keys, and returns the keys of these rows. */
  async #readLevel(field: ResolvedField, keys: readonly string[]): Promise<string[]> {
    const { key, value } = this.#fields;
    const { viewer: attribute } = this.#lookUp;
    const rows = await runBounded(
      this.#source,
      this.#lookUp,
      matchesKeys(this.#viewer, attribute, field, keys),
      allRows.chosen,
      [key, value],
    );
    for (const [, found] of rows)
      if (found !== null && found !== undefined) this.#values.add(String(found));
    if (this.#values.size > maxRows) throw tooManyRows(this.#lookUp);
    return rows.flatMap(([found]) =>
      found === null || found === undefined ? [] : [String(found)],
    );
  }
}
