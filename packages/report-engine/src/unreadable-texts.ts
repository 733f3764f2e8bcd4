import {
  aggregates,
  listParts,
  type DraftDataset,
  type ResolvedField,
  type TypedExpression,
} from '@portal-embed/report-model';

import { allRows, anyOf, chooseRows, everyOf, isIn, negate } from './plan/compare.ts';
import { rowCount, type Condition, type PlanResult, type QueryPlan } from './plan/plan.ts';

const maxExamples = 3;

/** With more conditions, all rows count: they would make the statement too long. */
const maxConditions = 20;

/** A text that is read as a value of another type. */
interface Reading {
  text: TypedExpression;
  /** What reads it, such as `as date`. */
  by: string;
  value: TypedExpression;
  /** The rows in which the expression uses the value. */
  isUsed: Condition;
}

/**
 * Counts the texts that are no values of the type that their field declares, or that `to_number` and
 * `to_date` cannot read.
 *
 * @returns a sentence for the author for each field or metric that has some
 */
export async function findUnreadableTexts(
  { fields, metrics }: Pick<DraftDataset, 'fields' | 'metrics'>,
  run: (plan: QueryPlan) => Promise<PlanResult>,
): Promise<string[]> {
  const readings = [
    ...[...fields.values()].map(({ name, ...field }) => ({ name, found: listReadings(field) })),
    ...[...metrics.values()].map(({ name, expression }) => ({
      name,
      found: listAggregated(expression).flatMap((part) => listCalls(part, [])),
    })),
  ];
  const found: string[] = [];
  const known = new Set<string>();
  for (const { name, found: ofField } of readings)
    for (const ofText of groupByText(ofField)) {
      // Fields and metrics contain the expressions of the fields that they use.
      const key = JSON.stringify(ofText);
      if (known.has(key)) continue;
      known.add(key);
      const sentence = await describeUnreadable(ofText, run);
      if (sentence !== undefined) found.push(`${name}: ${sentence}`);
    }
  return found;
}

function listReadings({ type, expression }: Omit<ResolvedField, 'name'>): Reading[] {
  const declared =
    expression.kind === 'cast' && expression.operand.type === 'text' && type !== 'text'
      ? [{ text: expression.operand, by: `as ${type}`, value: expression, isUsed: everyOf([]) }]
      : [];
  return [...declared, ...listCalls(expression, [])];
}

/** The arguments of all aggregates. */
const listAggregated = (expression: TypedExpression): readonly TypedExpression[] =>
  expression.kind === 'call' && (aggregates as readonly string[]).includes(expression.function)
    ? expression.arguments
    : listParts(expression).flatMap(listAggregated);

/** Lists the calls that read texts. `conditions` are those under which the expression is used. */
function listCalls(expression: TypedExpression, conditions: readonly Condition[]): Reading[] {
  if (expression.kind === 'case') {
    const { branches, otherwise } = expression;
    const isNoneBefore = (index: number) => {
      const all = [
        ...conditions,
        ...branches.slice(0, index).map(({ when }) => isTrue(when, false)),
      ];
      return all.length > maxConditions ? [] : all;
    };
    return [
      ...branches.flatMap(({ when, value }, index) => [
        ...listCalls(when, isNoneBefore(index)),
        ...listCalls(value, [...isNoneBefore(index), isTrue(when, true)]),
      ]),
      ...(otherwise ? listCalls(otherwise, isNoneBefore(branches.length)) : []),
    ];
  }
  const inner = listParts(expression).flatMap((part) => listCalls(part, conditions));
  if (expression.kind !== 'call') return inner;
  const { function: name, arguments: values } = expression;
  const [text] = values;
  if (!text || (name !== 'to_number' && name !== 'to_date')) return inner;
  return [...inner, { text, by: `by ${name}`, value: expression, isUsed: everyOf(conditions) }];
}

/** Whether a condition is true, or else false or unknown. */
function isTrue(condition: TypedExpression, wanted: boolean): Condition {
  const no: TypedExpression = { kind: 'literal', type: 'boolean', value: 'false' };
  const known: TypedExpression = {
    kind: 'call',
    function: 'coalesce',
    type: 'boolean',
    arguments: [condition, no],
  };
  return isIn({ type: 'boolean', expression: known }, [String(wanted)]);
}

/** An expression may read a text in several formats: one of them is enough. */
function groupByText(readings: readonly Reading[]): Reading[][] {
  const groups = new Map<string, Reading[]>();
  for (const reading of readings) {
    const key = JSON.stringify(reading.text);
    groups.set(key, [...(groups.get(key) ?? []), reading]);
  }
  return [...groups.values()];
}

async function describeUnreadable(
  readings: readonly Reading[],
  run: (plan: QueryPlan) => Promise<PlanResult>,
): Promise<string | undefined> {
  const [{ text }] = readings as [Reading];
  const isText = negate(isIn({ type: 'text', expression: text }, ['']));
  const isUnread = readings.map(({ value, isUsed }): Condition => {
    const isNull: Condition = { kind: 'null', operand: value };
    return isUsed.kind === 'every' ? isNull : anyOf([negate(isUsed), isNull]);
  });
  const { groups, subtotals } = await run({
    rows: chooseRows(
      allRows,
      everyOf([isText, anyOf(readings.map(({ isUsed }) => isUsed)), ...isUnread]),
    ),
    dimensions: [{ expression: text }],
    metrics: [rowCount],
    order: [{ by: 'metric', index: 0, isDescending: true }],
    limit: maxExamples,
    subtotals: [{ dimensions: [] }],
  });
  const count = Number(subtotals[0]?.groups[0]?.values[0] ?? 0);
  if (count === 0) return undefined;
  const examples = groups.map(({ keys }) => JSON.stringify(String(keys[0]).slice(0, 60)));
  const by = [...new Set(readings.map((reading) => reading.by))].join(' and ');
  const isDeclared = by.startsWith('as ');
  return `${count.toLocaleString('en')} ${count === 1 ? 'text' : 'texts'} cannot be read ${by}, such as ${examples.join(', ')}; ${isDeclared ? 'reports show them as blank' : 'they count as null'}`;
}
