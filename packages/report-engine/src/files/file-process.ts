/** Runs one task after another, until the portal disconnects. */
import { runTask } from './run-task.ts';
import type { FileTask } from './tasks.ts';

process.on('message', (task: FileTask) => {
  void runTask(task).then((answer) => process.send?.(answer));
});
