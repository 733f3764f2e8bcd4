import { resolveDataset } from '@portal-embed/report-model';

import { duckdb, fieldTypeOf } from '../emit/duckdb.ts';
import { keyword } from '../emit/sql.ts';
import type { Row } from '../engine/messages.ts';
import { answerPlans } from '../source.ts';
import { findUnreadableTexts } from '../unreadable-texts.ts';
import { quoteText } from './csv-sql.ts';
import { openRestricted } from './restricted-duckdb.ts';
import type { CheckTextsTask } from './tasks.ts';

export async function checkTexts({ sources, definition }: CheckTextsTask): Promise<string[]> {
  const paths = sources.map(quoteText);
  const connection = await openRestricted(paths);
  const from = `read_parquet([${paths.join(', ')}], union_by_name = true)`;
  const described = await connection.run(`SELECT * FROM ${from} LIMIT 0`);
  const types = described.columnTypes().map(String);
  const names = described.columnNames();
  const { draft } = resolveDataset(
    definition,
    new Map(names.map((name, index) => [name, fieldTypeOf(types[index]!)])),
  );
  const columns = new Map(
    names.map((name, index) => [name, { name: types[index]!, isFinite: false }]),
  );
  const run = answerPlans(
    async ({ text, values }) => {
      const result = await connection.runAndReadAll(text, values as string[]);
      return result.getRowObjectsJson() as Row[];
    },
    { dialect: duckdb, from: keyword(from), columns },
    draft.timeZone,
  );
  return findUnreadableTexts(draft.fields.values(), run);
}
