/** Runs one task after another, until the portal disconnects. */
import { runTask, type TaskInput, type TaskName } from './tasks.ts';

process.on('message', ({ name, input }: { name: TaskName; input: TaskInput<TaskName> }) => {
  try {
    process.send?.({ output: runTask(name, input) });
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? error.stack : String(error) });
  }
});

// Terminals and supervisors also signal this process, but the portal needs it to finish requests.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
