import { listValue, type DuckDBValue } from '@duckdb/node-api';
import { resolveDataset } from '@portal-embed/report-model';

import { duckdb, fieldTypeOf } from '../emit/duckdb.ts';
import { keyword } from '../emit/sql.ts';
import type { Row } from '../engine/messages.ts';
import { findMatchedKeys } from '../look-up-keys.ts';
import { answerPlans } from '../source.ts';
import { findUnreadableTexts } from '../unreadable-texts.ts';
import { quoteText } from './csv-sql.ts';
import { openRestricted } from './restricted-duckdb.ts';
import type { CheckTextsTask, FindKeysTask } from './tasks.ts';

export async function checkTexts(task: CheckTextsTask): Promise<string[]> {
  const { draft, run } = await openDataset(task);
  return findUnreadableTexts(draft, run);
}

export async function findKeys({ keys, texts, ...task }: FindKeysTask): Promise<boolean[]> {
  const { draft, run } = await openDataset(task);
  return findMatchedKeys(draft, run, keys, texts);
}

/** Opens the Parquet files of a dataset in this process. */
async function openDataset({
  sources,
  definition,
}: Pick<CheckTextsTask, 'sources' | 'definition'>) {
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
      const result = await connection.runAndReadAll(text, values.map(bindValue));
      return result.getRowObjectsJson() as Row[];
    },
    { dialect: duckdb, from: keyword(from), columns },
    draft.timeZone,
    new Date(),
  );
  return { draft, run };
}

const bindValue = (value: string | readonly string[]): DuckDBValue =>
  typeof value === 'string' ? value : listValue([...value]);
