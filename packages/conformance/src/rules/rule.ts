export type OutcomeKind = 'passed' | 'failed' | 'info' | 'skipped';

export interface Outcome {
  /** `info` reports what the subject does where the specification is silent. */
  kind: OutcomeKind;
  /** What was found, or why the rule was skipped. */
  got: string;
  /** The endpoint that the key may not call, if the rule was skipped for that reason. */
  notPermitted?: string | undefined;
}

/** A statement about a portal or a host endpoint, and its check. */
export interface Rule<Subject, Point extends string> {
  /** For example `users.create`. Options and results name it. */
  id: string;
  /** The points of the specification that the rule checks. The first one names its section. */
  covers: readonly [Point, ...Point[]];
  /** What the specification expects. */
  expected: string;
  /** Whether the check changes something. */
  writes?: boolean;
  /**
   * Checks the rule. Returns what it found, or `info`; `fail` and `skip` end it. A text instead of a
   * function says why the rule cannot be checked from outside.
   */
  check: string | ((subject: Subject) => Promise<string | Outcome>);
}

/** Ends the check of a rule. */
export class Verdict extends Error {
  readonly outcome: Outcome;

  constructor(kind: OutcomeKind, got: string, notPermitted?: string) {
    super(got);
    this.outcome = { kind, got, ...(notPermitted !== undefined && { notPermitted }) };
  }
}

/** The rule is broken. */
export function fail(got: string): never {
  throw new Verdict('failed', got);
}

/** The rule cannot be checked. */
export function skip(why: string): never {
  throw new Verdict('skipped', why);
}

/** The rule cannot be checked, because the key may not call an endpoint. */
export function skipNotPermitted(endpoint: string, why: string): never {
  throw new Verdict('skipped', `the key may not call ${endpoint}: ${why}`, endpoint);
}

/** Skips a rule that needs something of another rule, which failed. Other errors remain. */
export function skipAfter(error: unknown, prefix = ''): never {
  if (!(error instanceof Verdict) || error.outcome.kind === 'skipped') throw error;
  skip(prefix + error.message);
}

export const info = (got: string): Outcome => ({ kind: 'info', got });
