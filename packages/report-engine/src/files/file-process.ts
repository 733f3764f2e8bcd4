/** A process that reads data files for the portal, one task after the other, until the portal disconnects. */
import fs from 'node:fs/promises';

import { readPercent } from './restricted-duckdb.ts';
import { runTask } from './run-task.ts';
import type { FileProgress, FileTask } from './tasks.ts';

const progressMs = 300;

process.on('message', (task: FileTask) => {
  let hasAnswered = false;
  const timer = setInterval(() => {
    void readProgress(task).then((progress) => {
      if (progress && !hasAnswered) process.send?.({ progress });
    });
  }, progressMs);
  void runTask(task).then((answer) => {
    hasAnswered = true;
    clearInterval(timer);
    process.send?.(answer);
  });
});

/** DuckDB estimates how much of the current statement it has done; `undefined` if it does not know. */
async function readProgress(task: FileTask): Promise<FileProgress | undefined> {
  const percent = readPercent();
  if (percent === undefined) return undefined;
  const target = 'target' in task ? await fs.stat(task.target).catch(() => undefined) : undefined;
  return { phase: target?.size ? 'write' : 'read', percent: Math.floor(percent) };
}
