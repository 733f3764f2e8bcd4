import type { Span } from './tree.ts';

/** A mistake in the text of an expression, with the offsets of the part that is wrong. */
export class ExpressionError extends Error implements Span {
  readonly start: number;
  readonly end: number;

  constructor(message: string, { start, end }: Span) {
    super(message);
    this.name = 'ExpressionError';
    this.start = start;
    this.end = end;
  }
}
