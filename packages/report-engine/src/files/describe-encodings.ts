import type { Interpretation, ReadColumn } from '@portal-embed/report-model';

/** Names the lines that have several encodings, and how each reads them. */
export function describeEncodings(interpretations: readonly Interpretation[]): string {
  const choices = interpretations.map(({ options, columns }) => {
    const texts = listValues(columns).map(({ read }) => JSON.stringify(read));
    return `${texts.join(', ')} (${options.encoding})`;
  });
  const lines = listValues(interpretations[0]?.columns ?? []).map(({ line }) => line);
  const named = lines.length === 1 ? `line ${lines[0]}` : `lines ${lines.join(', ')}`;
  return `the file is not UTF-8, and ${named} can be ${choices.join(' or ')}`;
}

const listValues = (columns: readonly ReadColumn[]) => columns.flatMap(({ values }) => values);
