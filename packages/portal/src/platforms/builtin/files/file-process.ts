/** Runs one task, then ends. */
import { once } from 'node:events';

import { runTask } from './run-task.ts';
import type { FileTask } from './tasks.ts';

const [task] = (await once(process, 'message')) as [FileTask];
process.send?.(await runTask(task));
