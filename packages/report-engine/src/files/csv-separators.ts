import type { CsvOptions, FieldOptions } from '@portal-embed/report-model';

import type { CountedColumn } from './csv-columns.ts';
import { decide, type Decision } from './csv-decide.ts';
import { isChosen } from './csv-number-hints.ts';
import type { Separators } from './csv-numbers.ts';

/** A column of numbers without a declared type. */
export interface Undecided {
  column: CountedColumn;
  field: FieldOptions;
  decision: Decision | undefined;
}

/**
 * Lets columns whose values prove what points and commas mean decide it for the others, if they agree.
 * A column whose decision changes gets the new one.
 */
export function settleSeparators(columns: readonly Undecided[], csv: CsvOptions): void {
  if (isChosen(csv)) return;
  const proofs = columns.flatMap((each) => findProof(each) ?? []);
  const open = columns.filter(isOpen);
  const decimals = new Set(proofs.flatMap(({ decimal }) => decimal ?? []));
  const thousands = new Set(proofs.flatMap((proof) => proof.thousands ?? []));
  const hasRead = columns.some((each) => isRead(each));
  // What most values look like must not answer the questions about other columns.
  if (open.length > 0)
    for (const each of columns) if (findProof(each) === undefined) proposeNothing(each, false);
  if (decimals.size > 1 || thousands.size > 1) {
    if (open.length > 0 || hasRead) for (const each of columns) proposeNothing(each, hasRead);
    return;
  }
  const isPoint = decimals.has('.') || thousands.has(',');
  if (isPoint) for (const each of open) readPoints(each, thousands, csv);
}

const isOpen = ({ column, decision }: Undecided): boolean =>
  column.twin === 'comma' || decision?.kind === 'both';

/** Whether the numbers are read without an option, and have a decimal point. */
const isRead = ({ column, decision }: Undecided): boolean =>
  decision
    ? (decision.kind === 'read' || decision.kind === 'currency') && column.others.used['.']
    : column.form?.type === 'number' && column.twin === undefined;

function findProof(each: Undecided): Separators | undefined {
  if (isRead(each)) return { decimal: '.' };
  const { column, decision } = each;
  if (decision?.kind !== 'guess' || !decision.guess.separators) return undefined;
  const { guess } = decision;
  const { used, nullish } = column.others;
  if (guess.count !== column.values && guess.count + nullish !== column.values) return undefined;
  const { decimal, thousands } = guess.separators!;
  return { ...((used['.'] || used[',']) && { decimal }), thousands };
}

/** The options of one column would make others text. */
function proposeNothing(each: Undecided, hasRead: boolean): void {
  const { decision } = each;
  if (decision?.kind !== 'guess' || !decision.guess.separators) return;
  if (hasRead && decision.guess.separators.decimal === '.') return;
  each.decision = { kind: 'guess', guess: { ...decision.guess, csv: {} } };
}

/** Reads points as decimals in a column that has another interpretation, unless its groups differ from the others. */
function readPoints(each: Undecided, thousands: ReadonlySet<string>, csv: CsvOptions): void {
  const { column, field } = each;
  if (column.twin === 'comma') {
    each.column = { ...column, twin: undefined };
    return;
  }
  if (column.others.used[','] && [...thousands].some((other) => other !== ',')) return;
  each.decision = decide(column, { ...csv, decimal: '.' }, field);
}
