export type OutcomeKind = 'passed' | 'failed' | 'info' | 'skipped';

export interface Outcome {
  /** `info` reports what the subject does where the specification is silent. */
  kind: OutcomeKind;
  /** What was found, or why the rule was skipped. */
  got: string;
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

  constructor(kind: OutcomeKind, got: string) {
    super(got);
    this.outcome = { kind, got };
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

export const info = (got: string): Outcome => ({ kind: 'info', got });
