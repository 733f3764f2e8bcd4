import { needsWrite } from '../rules/index.ts';
import type { Result } from '../rules/index.ts';
import { countResults } from './report.ts';
import type { Report } from './report.ts';

const labels = { passed: 'ok     ', failed: 'FAILED ', info: 'info   ', skipped: 'skipped' };

/**
 * One result as lines of text: expected and got, or why the rule was skipped. The summary counts the
 * rules that need --write, which would hide the others.
 */
export function formatResult({ id, kind, expected, got }: Result): string {
  if (got === needsWrite) return '';
  const first = `${labels[kind]} ${id}: ${expected}`;
  if (kind === 'passed') return `${first}\n`;
  const word = { failed: 'got', info: 'found', skipped: 'skipped' }[kind];
  return `${first}\n          ${word}: ${got}\n`;
}

/** The last lines of a run. */
export function formatSummary(report: Report): string {
  const { passed, failed, info, skipped } = countResults(report);
  const { requests, durationMs, isComplete, leftovers, results } = report;
  const notPermitted = results.flatMap((result) => result.notPermitted ?? []);
  const calls = [...new Set(notPermitted)].toSorted().join(', ');
  const unwritten = results.filter(({ got }) => got === needsWrite).length;
  return [
    '',
    ...leftovers.map((each) => `NOT REMOVED: ${each}`),
    `${failed} failed, ${passed} passed, ${info} info, ${skipped} skipped; ${requests} requests in ${(durationMs / 1_000).toFixed(1)} s`,
    ...(unwritten > 0
      ? [`${unwritten} of the skipped rules change something: to check them, add --write.`]
      : []),
    ...(notPermitted.length > 0
      ? [
          `${notPermitted.length} of the skipped rules need calls that the key may not make: ${calls}. Use a key with more permissions, or skip these rules with --skip.`,
        ]
      : []),
    ...(isComplete ? [] : ['The run is not complete: the skipped rules say why.']),
    '',
  ].join('\n');
}
