import { fork, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import type { Logger } from 'pino';

import { ReportError } from '#platform';
import { lowerPriority } from '#server-kit';

import type { Answer, Command, ProcessLimits, Query, QueryResult } from './messages.ts';

/** The program next to this file: TypeScript from sources, JavaScript when built. */
const program = fileURLToPath(new URL(`process${path.extname(import.meta.url)}`, import.meta.url));

/** Environment variables that the process inherits. The others may hold secrets. */
const inheritedVariables = ['PATH', 'TZ', 'LD_LIBRARY_PATH', 'NODE_OPTIONS'];

/** How long an interrupted query may take to end before its process is killed. */
const interruptLimitMs = 1_000;

/** Starts an engine process and runs queries in it. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #settle: ((answer: Answer | undefined) => void) | undefined;
  #wasKilled = false;
  #hasExited = false;

  /** Version of the last query's dataset, which the process keeps open. */
  version: string | undefined;

  /** @param onExit called when the process has exited; `isCrash` unless this class killed it */
  constructor(limits: ProcessLimits, logger: Logger, onExit: (isCrash: boolean) => void) {
    const { env } = process;
    this.#child = fork(program, [JSON.stringify(limits)], {
      env: Object.fromEntries(inheritedVariables.map((name) => [name, env[name]])),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    lowerPriority(this.#child);
    const { pid, stderr } = this.#child;
    if (stderr)
      createInterface({ input: stderr }).on('line', (line) => logger.warn({ engine: pid }, line));
    this.#child.on('message', (answer: Answer) => this.#settle?.(answer));
    this.#exited = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        this.#hasExited = true;
        if (!this.#wasKilled) logger.error({ engine: pid, code, signal }, 'engine process ended');
        onExit(!this.#wasKilled);
        this.#settle?.(undefined);
        resolve();
      };
      this.#child.once('exit', end);
      this.#child.on('error', (err) => {
        logger.error({ engine: pid, err }, 'engine process failed');
        // A process that failed to start has no exit event.
        if (pid === undefined) end(null, null);
      });
    });
  }

  get isAlive(): boolean {
    return !this.#hasExited && !this.#wasKilled;
  }

  /**
   * Runs one query. The process must be idle.
   *
   * @throws `ReportError`, or the reason of `signal` if it aborts.
   */
  async run(query: Query, timeoutMs: number, signal: AbortSignal): Promise<QueryResult> {
    signal.throwIfAborted();
    let isTimedOut = false;
    let killTimer: NodeJS.Timeout | undefined;
    const cancel = () => {
      this.#send('interrupt');
      killTimer ??= setTimeout(() => this.#kill(), interruptLimitMs);
    };
    const timer = setTimeout(() => {
      isTimedOut = true;
      cancel();
    }, timeoutMs);
    signal.addEventListener('abort', cancel);
    try {
      this.version = query.dataset.version;
      const answer = await new Promise<Answer | undefined>((resolve) => {
        this.#settle = resolve;
        this.#send(query);
      });
      if (answer && 'result' in answer) return answer.result;
      signal.throwIfAborted();
      if (isTimedOut)
        throw new ReportError('timeout', `The query took longer than ${timeoutMs} ms.`);
      if (!answer) throw new ReportError('crashed', 'The engine process ended during the query.');
      throw new ReportError(answer.failed, answer.message);
    } finally {
      this.#settle = undefined;
      clearTimeout(timer);
      clearTimeout(killTimer);
      signal.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<void> {
    this.#kill();
    await this.#exited;
  }

  #send(command: Command): void {
    if (this.#child.connected) this.#child.send(command);
    else this.#settle?.(undefined);
  }

  /** SIGKILL loses nothing, since the process only reads. */
  #kill(): void {
    this.#wasKilled = true;
    this.#child.kill('SIGKILL');
  }
}
