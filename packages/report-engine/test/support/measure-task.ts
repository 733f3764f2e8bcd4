/** Runs one task on a data file, and says how much memory the process took. */
import { runTask } from '../../src/files/run-task.ts';
import type { FileTask } from '../../src/files/tasks.ts';

process.on('message', (task: FileTask) => {
  void runTask(task).then((answer) =>
    process.send?.({ answer, memoryMb: process.resourceUsage().maxRSS / 1_024 }),
  );
});
