import { CouldNotRun, requireAddress } from '../could-not-run.ts';
import { createRedact } from '../http/redact.ts';
import { describeAnswer } from '../http/send.ts';
import type { Report } from '../output/report.ts';
import { runRules } from '../rules/index.ts';
import type { Result } from '../rules/index.ts';
import { listPaths } from './api.ts';
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
  const subject = createPortalSubject(options, signal);
  const redact = createRedact([
    options.apiKey,
    options.limitedKey ?? '',
    new URL(options.url).password,
    ...Object.values(options.headers ?? {}),
  ]);
  let leftovers: string[] = [];
  let run: Awaited<ReturnType<typeof runRules>>;
  try {
    await requirePortal(subject, redact);
    run = await runRules(portalRules, subject, {
      write: options.write ?? false,
      skip: options.skip ?? [],
      signal,
      redact,
      onResult,
    });
  } finally {
    subject.sender.meter.startCleanup();
    leftovers = await subject.undo.run();
  }
  return {
    subject: 'portal',
    url: options.url,
    ...run,
    leftovers,
    requests: subject.sender.meter.requests,
    durationMs: performance.now() - startedAt,
  };
}

/** Asks for all lists once, so that a wrong address or key is not reported as a hundred broken rules. */
async function requirePortal({ api, options }: PortalSubject, redact: (text: string) => string) {
  const answers = await Promise.allSettled(
    Object.values(listPaths).map((path) => api.call('GET', path)),
  );
  const received = answers.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
  const base = redact(options.url);
  if (received.length === 0) {
    const reasons = answers.map((each) => (each.status === 'rejected' ? each.reason : undefined));
    const { message } = reasons[0] as Error;
    throw new CouldNotRun(`${base} does not answer. ${message}. Check the address.`);
  }
  const [{ status } = { status: 0 }] = received;
  const isEach = (...statuses: number[]) =>
    received.every((each) => statuses.includes(each.status));
  if (isEach(401, 403))
    throw new CouldNotRun(
      `${base} refuses the key with ${status}. Check the key and its permissions.`,
    );
  if (isEach(404, 405, 301, 302, 303, 307, 308))
    throw new CouldNotRun(
      `${base} has no API: ${redact(describeAnswer(received[0]!))}. Pass the address before /api.`,
    );
}
