import { BackupError } from '../../backup/backup-error.ts';

/** Lets Ctrl-C and SIGTERM end `work` so that it can remove what it has begun. */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interrupted = new AbortController();
  const stop = () =>
    interrupted.abort(
      new BackupError('not_possible', 'The command was interrupted. Nothing was kept.'),
    );
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  try {
    return await work(interrupted.signal);
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

/** Stops between two chunks when `signal` aborts. */
export async function* abortable(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
  }
}
