import type { Problem } from '@portal-embed/contract';

import type { Progress } from '../requests/endpoint.ts';

/** The media type of an answer that begins with its progress. */
export const linesType = 'application/x-ndjson';

interface Line {
  progress?: Progress;
  answer?: object;
  problem?: Partial<Problem>;
}

/** Reads an answer of lines of JSON while it arrives: its progress, and its last line. */
export class AnswerLines {
  /** The last line, which has the answer or a problem. */
  end: Pick<Line, 'answer' | 'problem'> = {};
  readonly #onProgress: (progress: Progress) => void;
  #read = 0;

  constructor(onProgress: (progress: Progress) => void) {
    this.#onProgress = onProgress;
  }

  /** @param text all that has arrived so far */
  read(text: string): void {
    for (;;) {
      const end = text.indexOf('\n', this.#read);
      if (end === -1) return;
      const { progress, ...rest } = JSON.parse(text.slice(this.#read, end)) as Line;
      this.#read = end + 1;
      if (progress) this.#onProgress(progress);
      else this.end = rest;
    }
  }
}
