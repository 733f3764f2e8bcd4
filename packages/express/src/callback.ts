import { Refusal } from './refusal.ts';

/**
 * What the app has configured, or a callback of it has returned, is not valid. Its message names
 * fields and never values, so that it can be logged.
 */
export class ConfigurationError extends TypeError {}

/** The options that are called for a request, and whose failure is one of the app. */
export type CallbackName = 'tenants' | 'user' | 'authorize' | 'provision';

/** Says which callback failed; `cause` is what it threw. */
export class CallbackFailure extends Error {
  override readonly name = 'CallbackFailure';
  readonly callback: CallbackName;

  constructor(callback: CallbackName, cause: unknown) {
    super(`${callback} failed`, { cause });
    this.callback = callback;
  }
}

/** Runs a callback and reads what it returned. Throws a `Refusal` or a `CallbackFailure`. */
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
