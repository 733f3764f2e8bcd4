import { CouldNotRun, requireAddress } from '../could-not-run.ts';
import { createRedact, removeCredentials } from '../http/redact.ts';
import type { Redact } from '../http/redact.ts';
import { describeAnswer } from '../http/send.ts';
import type { Report } from '../output/report.ts';
import { runRules } from '../rules/index.ts';
import type { Result } from '../rules/index.ts';
import { sanitize } from '../sanitize.ts';
import { shorten } from '../shorten.ts';
import { describeRefusal, listPaths } from './api.ts';
import type { PortalOptions } from './options.ts';
import { portalRules } from './rules/index.ts';
import { createPortalSubject } from './subject.ts';
import type { PortalSubject } from './subject.ts';

/**
 * Checks a portal against the rules. Reads only, unless `write` is set; then it creates users, links
 * and identity URLs, and removes the users and links at the end, also after `signal`.
 *
 * @param onResult is called with each result as it comes
 * @throws CouldNotRun if the portal cannot be reached, if it refuses the key, or if an option is not valid
 */
export async function checkPortalConformance(
  options: PortalOptions,
  onResult: (result: Result) => void = () => {},
): Promise<Report> {
  const startedAt = performance.now();
  const signal = options.signal ?? new AbortController().signal;
  requireAddress(options.url);
  if (options.apiKey === '') throw new CouldNotRun('The key is empty.');
  if (options.limitedKey === '') throw new CouldNotRun('The limited key is empty.');
  const redact = createRedact({
    keys: [options.apiKey, options.limitedKey],
    headers: options.headers,
    urls: [options.url],
  });
  const subject = createPortalSubject(options, signal, redact);
  const { meter } = subject.sender;
  const removeAll = async () => {
    meter.startCleanup(options.cleanupSignal ?? new AbortController().signal);
    return (await subject.undo.run()).map((remains) => sanitize(redact(remains)));
  };
  await requirePortal(subject, redact);
  const run = await runRules(portalRules, subject, {
    write: options.write ?? false,
    skip: options.skip ?? [],
    signal,
    redact,
    onResult,
  }).catch(async (error: unknown) => {
    const leftovers = await removeAll();
    if (leftovers.length === 0) throw error;
    throw new Error(`${String(error)}. Not removed: ${leftovers.join('; ')}`, { cause: error });
  });
  return {
    subject: 'portal',
    url: redact(removeCredentials(options.url)),
    ...run,
    leftovers: await removeAll(),
    requests: meter.requests,
    durationMs: performance.now() - startedAt,
  };
}

const maxRefusalLength = 300;

/** Asks for all lists once, so that a wrong address or key is not reported as a hundred broken rules. */
async function requirePortal({ api, options }: PortalSubject, redact: Redact) {
  const answers = await Promise.allSettled(
    Object.values(listPaths).map(async (path) => ({ path, answer: await api.send('GET', path) })),
  );
  const received = answers.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
  const base = redact(removeCredentials(options.url));
  const [first] = received;
  if (!first) {
    const reasons = answers.map((each) => (each.status === 'rejected' ? each.reason : undefined));
    const { message } = reasons[0] as Error;
    throw new CouldNotRun(`${base} does not answer. ${message}. Check the address.`);
  }
  const isEach = (...statuses: number[]) =>
    received.every(({ answer }) => statuses.includes(answer.status));
  if (isEach(401, 403)) {
    const refusal = shorten(redact(describeRefusal(first.answer)), maxRefusalLength);
    throw new CouldNotRun(
      `${base} refuses the key at all lists. GET ${first.path}: ${refusal.replace(/\.$/, '')}. Check the key: it must be able to read at least one list.`,
    );
  }
  if (isEach(404, 405, 301, 302, 303, 307, 308))
    throw new CouldNotRun(
      `${base} has no API: ${describeAnswer(first.answer)}. Pass the address before /api.`,
    );
}
