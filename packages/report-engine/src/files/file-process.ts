/** A process that reads data files for the portal, one task after the other, until the portal disconnects. */
import fs from 'node:fs/promises';

import { readPercent } from './restricted-duckdb.ts';
import { runTask } from './run-task.ts';
import type { FileProgress, FileTask } from './tasks.ts';

const progressMs = 300;

process.on('message', (task: FileTask) => void answer(task));

async function answer(task: FileTask): Promise<void> {
  let hasAnswered = false;
  const report = async () => {
    const progress = await readProgress(task);
    if (progress && !hasAnswered) process.send?.({ progress });
  };
  const timer = setInterval(() => void report(), progressMs);
  const found = await runTask(task);
  hasAnswered = true;
  clearInterval(timer);
  process.send?.(found);
}

/** DuckDB estimates how much of the current statement it has done; `undefined` if it does not know. */
async function readProgress(task: FileTask): Promise<FileProgress | undefined> {
  const percent = readPercent();
  if (percent === undefined) return undefined;
  const target = 'target' in task ? await fs.stat(task.target).catch(() => undefined) : undefined;
  return { phase: target?.size ? 'write' : 'read', percent: Math.floor(percent) };
}
