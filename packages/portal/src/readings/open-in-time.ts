import { once } from 'node:events';

import {
  maxFrameKeyLength,
  ReportError,
  type Held,
  type Opened,
  type OpenOptions,
  type Reading,
  type ReportPlatform,
} from '#platform';

/** Longest time in which a platform opens a report, in milliseconds. Tiles are computed later. */
const openTimeLimitMs = 20_000;

/**
 * Opens a report. It ends when the reader has disconnected, even if the platform does not, because a
 * report that is being opened counts toward those that its reader may load at the same time.
 *
 * @throws `ReportError` if the platform needs too long or breaks the promises of its port; the reason of
 *   `signal`
 */
export async function openInTime(
  platform: Pick<ReportPlatform, 'name' | 'open'>,
  reading: Reading,
  options: OpenOptions,
): Promise<Opened> {
  options.signal.throwIfAborted();
  const ending = new AbortController();
  const { signal } = ending;
  options.signal.addEventListener('abort', () => ending.abort(options.signal.reason));
  const timer = setTimeout(() => {
    const message = `The platform "${platform.name}" took longer than ${openTimeLimitMs} ms.`;
    ending.abort(new ReportError('timeout', message));
  }, openTimeLimitMs);
  try {
    const ended = once(signal, 'abort').then(() => {
      throw signal.reason;
    });
    const opening = (async () => platform.open(reading, { ...options, signal }))();
    const opened = await Promise.race([opening, ended]);
    const problem = findProblem(opened, options.held);
    if (problem === undefined) return opened;
    throw new ReportError(
      'failed',
      `The platform "${platform.name}" has answered with ${problem}.`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** What breaks the promises of the port; `undefined` for nothing. */
function findProblem(opened: Opened, held: Held | undefined): string | undefined {
  switch (opened.kind) {
    case 'tiles':
    case 'refused':
      return undefined;
    case 'kept':
      return held ? undefined : 'a kept frame, and there is none';
    case 'frame': {
      const { key, expiresAt, unappliedFilters } = opened;
      if (key.length < 1 || key.length > maxFrameKeyLength)
        return `a key of ${key.length} characters`;
      if (!Array.isArray(unappliedFilters)) return 'no list of filters that it cannot apply';
      return Number.isNaN(expiresAt.getTime()) ? 'a token without an end' : undefined;
    }
    default:
      return 'nothing that it may';
  }
}
