import { LimitReached } from '../http/limits.ts';
import type { Redact } from '../http/redact.ts';
import { NoAnswer } from '../http/send.ts';
import { sanitize } from '../sanitize.ts';
import { shorten } from '../shorten.ts';
import type { Outcome, Rule } from './rule.ts';
import { Verdict } from './rule.ts';
import { findTitle } from './specification.ts';

/** The outcome of one rule. */
export interface Result extends Outcome {
  id: string;
  section: string;
  expected: string;
}

interface RunOptions {
  /** Whether rules that change something run. */
  write: boolean;
  /** Ids of rules, or their beginnings up to a dot, that do not run. */
  skip: readonly string[];
  signal: AbortSignal;
  /** Removes secrets from what was found. */
  redact: Redact;
  onResult: (result: Result) => void;
}

/**
 * Checks the rules one after the other. `isComplete` is false if a limit or the signal ended the run,
 * if the key may not make a call, or if a check itself failed.
 */
export async function runRules<Subject, Point extends string>(
  rules: readonly Rule<Subject, Point>[],
  subject: Subject,
  options: RunOptions,
): Promise<{ results: Result[]; isComplete: boolean }> {
  const results: Result[] = [];
  let isComplete = true;
  for (const rule of rules) {
    const outcome = await checkRule(rule, subject, options).catch((error: unknown) => {
      isComplete = false;
      return skipped(error instanceof LimitReached ? error.message : describeMistake(error));
    });
    if (outcome.notPermitted !== undefined) isComplete = false;
    const { id, covers, expected } = rule;
    const section = findTitle(covers[0]);
    const result = {
      id,
      section,
      expected,
      ...outcome,
      got: shorten(sanitize(options.redact(outcome.got)), maxLength),
    };
    results.push(result);
    options.onResult(result);
  }
  return { results, isComplete };
}

const maxLength = 1_000;

/** Why a rule that changes something is skipped. */
export const needsWrite = 'changes something; add --write';

/** A mistake of a check says nothing about the subject, and must not lose the other results. */
const describeMistake = (error: unknown): string =>
  `the check itself failed: ${String(error)}. Report this as a mistake of the kit`;

const skipped = (got: string): Outcome => ({ kind: 'skipped', got });

async function checkRule<Subject, Point extends string>(
  { id, writes = false, check }: Rule<Subject, Point>,
  subject: Subject,
  { write, skip, signal }: RunOptions,
): Promise<Outcome> {
  if (typeof check === 'string') return skipped(`cannot be checked from outside: ${check}`);
  if (skip.some((each) => id === each || id.startsWith(`${each}.`)))
    return skipped('left out by --skip');
  if (writes && !write) return skipped(needsWrite);
  if (signal.aborted) throw new LimitReached('the run was interrupted');
  try {
    const found = await check(subject);
    return typeof found === 'string' ? { kind: 'passed', got: found } : found;
  } catch (error) {
    if (error instanceof Verdict) return error.outcome;
    if (error instanceof NoAnswer) return { kind: 'failed', got: error.message };
    throw error;
  }
}
