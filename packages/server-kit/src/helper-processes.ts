import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';

/** A helper process ended before it answered. */
export class ProcessEndedError extends Error {
  override name = 'ProcessEndedError';
  /** Whether its memory limit was reached. */
  readonly isOutOfMemory: boolean;
  /** Whether its limit of processor time was reached. */
  readonly isOutOfTime: boolean;

  constructor({ signalCode, exitCode }: ChildProcess, isOutOfTime: boolean) {
    super('The process ended before it answered.');
    this.isOutOfTime = isOutOfTime;
    // V8 aborts when its heap is full; a shell or a container reports that signal as 134.
    this.isOutOfMemory = signalCode === 'SIGABRT' || exitCode === 134;
  }
}

/**
 * Lets the portal run first when there are fewer processors than busy processes. Set from outside,
 * because a process can lower only the thread that asks and those that it starts later.
 */
export function lowerPriority({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_LOW);
  } catch {
    // The process has ended.
  }
}

interface HelperOptions {
  /** Path of the program. It answers each message with one message, after any `{ progress }`. */
  program: string;
  /** How many processes wait for the next task. Starting one takes longer than most tasks. */
  maxIdle: number;
  /** How long a process waits. Then it ends, which gives its memory back. */
  idleMs: number;
  /**
   * Limit of processor time for one task, in milliseconds: on a busy machine, a process mostly waits.
   * Systems without `/proc` use elapsed time. Default: no limit.
   */
  maxProcessorMs?: number;
  /** Arguments of Node, such as a limit of memory. */
  execArgv?: string[];
}

/** Runs each task in a process that has no other task. Processes start when they are needed. */
export class HelperProcesses<Task extends object, Answer> {
  readonly #options: HelperOptions;
  readonly #busy = new Set<ChildProcess>();
  readonly #idle = new Map<ChildProcess, NodeJS.Timeout>();

  constructor(options: HelperOptions) {
    this.#options = options;
  }

  /**
   * Aborting `signal` ends the process.
   *
   * @param onProgress gets what the program says before its answer
   * @throws `ProcessEndedError`; the reason of `signal`
   */
  async run(
    task: Task,
    signal?: AbortSignal,
    onProgress: (progress: never) => void = () => {},
  ): Promise<Answer> {
    signal?.throwIfAborted();
    const child = this.#take();
    const abort = () => void end(child);
    signal?.addEventListener('abort', abort);
    const limit = limitTime(child, this.#options.maxProcessorMs ?? Infinity);
    try {
      const answer = await ask<Answer>(child, task, onProgress);
      signal?.throwIfAborted();
      if (answer === undefined) throw new ProcessEndedError(child, limit.isReached);
      return answer;
    } finally {
      limit.stop();
      signal?.removeEventListener('abort', abort);
      this.#busy.delete(child);
      await (signal?.aborted || limit.isReached ? end(child) : this.#release(child));
    }
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    const idle = [...this.#idle.keys()];
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all([...idle, ...this.#busy].map(end));
  }

  #take(): ChildProcess {
    for (const [child, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(child);
      if (!canRead(child)) continue;
      child.ref();
      child.channel?.ref();
      this.#busy.add(child);
      return child;
    }
    const child = this.#start();
    this.#busy.add(child);
    return child;
  }

  #start(): ChildProcess {
    const { PATH, LD_LIBRARY_PATH, NODE_OPTIONS } = process.env;
    const child = fork(this.#options.program, [], {
      env: { PATH, LD_LIBRARY_PATH, NODE_OPTIONS },
      execArgv: this.#options.execArgv ?? [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    lowerPriority(child);
    // A second error, such as that of a lost message, has no other listener.
    return child.on('error', () => {});
  }

  /** Lets the process wait for another task, without keeping the portal from ending. */
  async #release(child: ChildProcess): Promise<void> {
    if (this.#idle.size >= this.#options.maxIdle || !canRead(child)) return end(child);
    child.unref();
    child.channel?.unref();
    const timer = setTimeout(() => {
      this.#idle.delete(child);
      void end(child);
    }, this.#options.idleMs);
    this.#idle.set(child, timer.unref());
  }
}

/** Resolves with `undefined` if the process ends before it answers. */
const ask = <Answer>(
  child: ChildProcess,
  task: object,
  onProgress: (progress: never) => void,
): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const finish = (answer?: Answer) => {
      child.off('message', onMessage).off('exit', onEnd).off('error', onEnd);
      resolve(answer);
    };
    const onMessage = (message: Answer | { progress: never }) => {
      if (isProgress(message)) onProgress(message.progress);
      else finish(message);
    };
    const onEnd = () => finish();
    child.on('message', onMessage).once('exit', onEnd).once('error', onEnd);
    child.send(task);
  });

/** Ends the process when its task exceeds `maxMs` of processor time. */
function limitTime(child: ChildProcess, maxMs: number) {
  if (maxMs === Infinity) return { isReached: false, stop: () => {} };
  const limit = { isReached: false, stop: () => clearInterval(timer) };
  const startedAt = performance.now();
  const usedBefore = readProcessorMs(child);
  let isKnown = usedBefore !== undefined;
  const timer = setInterval(() => {
    const used = readProcessorMs(child);
    isKnown ||= used !== undefined;
    const elapsed = isKnown ? 0 : performance.now() - startedAt;
    const usedMs = used === undefined ? elapsed : used - (usedBefore ?? 0);
    if (usedMs < maxMs) return;
    limit.isReached = true;
    limit.stop();
    void end(child);
  }, limitCheckMs);
  return limit;
}

const limitCheckMs = 200;

/** Processor time of the main thread in milliseconds, from `/proc`; `undefined` where it is not known. */
function readProcessorMs({ pid }: ChildProcess): number | undefined {
  try {
    const nanoseconds = Number(fs.readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]);
    // Kernels that do not count say 0.
    return nanoseconds === 0 ? undefined : nanoseconds / 1_000_000;
  } catch {
    return undefined;
  }
}

const isProgress = (message: unknown): message is { progress: never } =>
  typeof message === 'object' && message !== null && 'progress' in message;

const hasEnded = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid === undefined || exitCode !== null || signalCode !== null;

const canRead = (child: ChildProcess): boolean => child.connected && !hasEnded(child);

/** Resolves once the process has ended and given its memory back. SIGKILL is safe: helpers keep no state. */
async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
