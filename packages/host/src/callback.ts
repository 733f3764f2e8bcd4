import { Refusal } from './refusal.ts';

/**
 * The application configured something wrong, or one of its callbacks returned something wrong. The
 * message names fields and never values, so that it can be logged.
 */
export class HostConfigurationError extends TypeError {}

/** The functions of the application that are called for a request. */
export type CallbackName =
  | 'tenants'
  | 'apiKey'
  | 'user'
  | 'authorize'
  | 'provision'
  | 'origin'
  | 'body';

/** Says which callback failed; `cause` is what it threw. */
export class CallbackFailure extends Error {
  override readonly name = 'CallbackFailure';
  readonly callback: CallbackName;

  constructor(callback: CallbackName, cause: unknown) {
    super(`${callback} failed`, { cause });
    this.callback = callback;
  }
}

/** Runs a callback and checks its result. Throws a `Refusal` or a `CallbackFailure`. */
export async function runCallback<Result>(
  callback: CallbackName,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Refusal ? error : new CallbackFailure(callback, error);
  }
}
