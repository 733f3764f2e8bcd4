import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { ReportError } from '#platform';
import { QueryTurns, type Owner } from '#report-engine';
import { HelperProcesses, ProcessEndedError } from '#server-kit';

import type { Context } from '../actor/actor.ts';
import { PortalError } from '../errors.ts';
import { refuse } from '../limits/refuse.ts';
import { queues } from '../limits/table.ts';
import { ContentError } from './content-error.ts';
import { runTask, type TaskInput, type TaskName, type TaskOutput } from './tasks.ts';

export type Author = Pick<Context, 'organizationId' | 'actor'>;

/** Works on what authors write: YAML, expressions and Markdown. */
export interface ContentWorker {
  /** @throws `invalid_content` if the work takes too much time or memory; `overloaded` */
  run: <Name extends TaskName>(
    author: Author,
    name: Name,
    input: TaskInput<Name>,
    signal?: AbortSignal,
  ) => Promise<TaskOutput<Name>>;
}

/** Works in this process. For commands, which serve nobody else. */
export const workHere: ContentWorker = {
  run: async (_author, name, input) => runTask(name, input),
};

/** The program next to this file: TypeScript from sources, JavaScript when built. */
const program = fileURLToPath(
  new URL(`content-process${path.extname(import.meta.url)}`, import.meta.url),
);

/** Limits of one task, in milliseconds. */
interface TimeLimits {
  /** Several times what the largest file takes. */
  processorMs: number;
  /** On a busy machine, the processes run after all others. */
  elapsedMs: number;
}

const defaultLimits: TimeLimits = { processorMs: 15_000, elapsedMs: 60_000 };

/** Several times the syntax trees of the largest file and its dataset. */
const maxMemoryMb = 384;

/** An author who types sends a text every few seconds. */
const idleMs = 30_000;

/** The user, key or operator whose turn it is. */
export const ownerOf = ({ organizationId, actor }: Author): Owner => ({
  organizationId,
  userId: actor.kind === 'operator' ? actor.name : actor.id,
});

type Answer = { output: unknown } | { failed: string };

/**
 * Works in separate processes, so that a text that takes long holds up no request. Users take turns.
 */
export class ContentProcesses implements ContentWorker {
  readonly #turns = new QueryTurns(queues.contentChecks);
  readonly #limits: TimeLimits;
  readonly #processes: HelperProcesses<object, Answer>;

  constructor(limits: Partial<TimeLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
    this.#processes = new HelperProcesses({
      program,
      maxIdle: queues.contentChecks.concurrency,
      idleMs,
      maxProcessorMs: this.#limits.processorMs,
      execArgv: [`--max-old-space-size=${maxMemoryMb}`],
    });
  }

  async run<Name extends TaskName>(
    author: Author,
    name: Name,
    input: TaskInput<Name>,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<TaskOutput<Name>> {
    let timeout: AbortSignal | undefined;
    try {
      const answer = await this.#turns.run(ownerOf(author), signal, () => {
        timeout = AbortSignal.timeout(this.#limits.elapsedMs);
        return this.#processes.run({ name, input }, AbortSignal.any([signal, timeout]));
      });
      if ('failed' in answer) throw new Error(answer.failed);
      return answer.output as TaskOutput<Name>;
    } catch (error) {
      signal.throwIfAborted();
      if (timeout?.aborted) throw tooBusy();
      const isTooLarge =
        error instanceof ProcessEndedError && (error.isOutOfMemory || error.isOutOfTime);
      throw explain(error, isTooLarge ? findFile(input) : undefined);
    }
  }

  close(): Promise<void> {
    return this.#processes.close();
  }
}

/** The file that the author wants to save or to check. */
const findFile = (input: object): string | undefined =>
  'files' in input
    ? (input as TaskInput<'check'>).files[0]?.file
    : (input as { file?: string }).file;

const tooBusy = () =>
  refuse(queues.contentChecks, 'The machine is too busy to check this in time.', {
    advice: 'Try again in a few seconds.',
  });

function explain(error: unknown, tooLarge: string | undefined): unknown {
  if (tooLarge !== undefined)
    return new ContentError([
      {
        file: tooLarge,
        line: 1,
        column: 1,
        message:
          'checking this takes too much time or memory; shorten its texts and expressions, or split it',
      },
    ]);
  if (error instanceof ReportError && error.reason === 'overloaded')
    return refuse(queues.contentChecks, 'Too many definitions are being checked.', {
      advice: 'Try again in a few seconds.',
    });
  if (error instanceof ProcessEndedError)
    return new PortalError('overloaded', 'The check of the definition ended unexpectedly.', {
      advice: 'Try again.',
      retryAfter: 1,
    });
  return error;
}
