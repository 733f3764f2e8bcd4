import type { OutcomeKind, Result } from '../rules/index.ts';

/** What a run found. Contains neither keys nor tokens. */
export interface Report {
  subject: 'portal' | 'host';
  /** The address that was checked. */
  url: string;
  results: Result[];
  /**
   * False if rules could not be checked: a limit or an interruption ended the run, the key may not make
   * a call, or a check itself failed.
   */
  isComplete: boolean;
  /** What the run created and could not remove, with advice. */
  leftovers: string[];
  /** Number of requests that were sent. */
  requests: number;
  durationMs: number;
}

/** Counts the results of each kind. */
export const countResults = ({ results }: Report): Record<OutcomeKind, number> => {
  const counts = { passed: 0, failed: 0, info: 0, skipped: 0 };
  for (const { kind } of results) counts[kind] += 1;
  return counts;
};

/** 0 if no rule is broken, 1 if one is or if something remains, 2 if the run is not complete. */
export function exitCodeOf(report: Report): 0 | 1 | 2 {
  if (countResults(report).failed > 0 || report.leftovers.length > 0) return 1;
  return report.isComplete ? 0 : 2;
}
