import { watchFiles } from '#report-engine';

import type { Cli } from './cli.ts';

export interface ProgressLine {
  /** Shows a text, several times a second at most. */
  show: (text: string) => void;
  clear: () => void;
}

/** A line that is replaced, on a terminal and without `--json`. */
export function createProgress(cli: Cli): ProgressLine {
  const { stderr } = cli;
  if (!('isTTY' in stderr && stderr.isTTY) || cli.asJson)
    return { show: () => {}, clear: () => {} };
  let shownAt = -Infinity;
  return {
    show: (text) => {
      if (performance.now() < shownAt + 200) return;
      shownAt = performance.now();
      stderr.write(`\r\u001B[K${text}`);
    },
    clear: () => {
      stderr.write('\r\u001B[K');
    },
  };
}

/** Shows which data files `work` reads, and how far it is. */
export async function withFileProgress<Result>(
  cli: Cli,
  work: () => Promise<Result>,
): Promise<Result> {
  const line = createProgress(cli);
  try {
    return await watchFiles(
      ({ file, phase, percent }) =>
        line.show(
          `${file}: ${phase === 'write' ? 'writing rows' : 'reading values'}, ${percent} %`,
        ),
      work,
    );
  } finally {
    line.clear();
  }
}
