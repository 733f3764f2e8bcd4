import { CouldNotRun, requireAddress } from '../could-not-run.ts';
import { LimitReached } from '../http/limits.ts';
import { createRedact, removeCredentials } from '../http/redact.ts';
import type { Redact } from '../http/redact.ts';
import { describeAnswer, NoAnswer } from '../http/send.ts';
import type { Report } from '../output/report.ts';
import { runRules } from '../rules/index.ts';
import type { Result } from '../rules/index.ts';
import type { HostOptions } from './options.ts';
import { hostRules } from './rules/index.ts';
import { readProblem } from './rules/refusals.ts';
import { HostSubject } from './subject.ts';

/**
 * Checks a host endpoint against the rules. With a session it requests identity URLs, and opens one.
 *
 * @param onResult is called with each result as it comes
 * @throws CouldNotRun if nothing answers, if the session is not valid, or if an option is not valid
 */
export async function checkHostConformance(
  options: HostOptions,
  onResult: (result: Result) => void = () => {},
): Promise<Report> {
  const startedAt = performance.now();
  const signal = options.signal ?? new AbortController().signal;
  requireAddress(options.url);
  if (options.otherUrl !== undefined) requireOtherTenant(options.url, options.otherUrl);
  if (options.portalKey === '') throw new CouldNotRun('The key of the portal is empty.');
  const redact = createRedact({
    keys: [options.portalKey],
    headers: options.session,
    urls: [options.url, options.otherUrl],
  });
  const subject = new HostSubject(options, signal, redact);
  await requireEndpoint(subject, redact);
  const run = await runRules(hostRules, subject, {
    write: true,
    skip: options.skip ?? [],
    signal,
    redact,
    onResult,
  });
  return {
    subject: 'host',
    url: redact(removeCredentials(options.url)),
    ...run,
    leftovers: [],
    requests: subject.sender.meter.requests,
    durationMs: performance.now() - startedAt,
  };
}

function requireOtherTenant(url: string, otherUrl: string): void {
  requireAddress(otherUrl);
  if (new URL(url).hostname === new URL(otherUrl).hostname)
    throw new CouldNotRun('--url and --other-url must have the host names of two tenants.');
}

/** Sends one request, so that a wrong address or session is not reported as a hundred broken rules. */
async function requireEndpoint(subject: HostSubject, redact: Redact) {
  const url = redact(removeCredentials(subject.options.url));
  const answer = await subject.send().catch((error: unknown) => {
    if (error instanceof LimitReached) throw new CouldNotRun(`${url}: ${error.message}.`);
    if (!(error instanceof NoAnswer)) throw error;
    throw new CouldNotRun(`${url} does not answer. ${error.message}. Check the address.`);
  });
  const got = describeAnswer(answer);
  const hasCode = typeof readProblem(answer)?.['code'] === 'string';
  if (answer.status === 404)
    throw new CouldNotRun(
      hasCode
        ? `${url} knows no tenant with this host name: ${got}. Pass the host name of a tenant.`
        : `${url} is not a host endpoint: ${got}. Check the address.`,
    );
  if (subject.hasSession && answer.status >= 400 && answer.status < 500 && !hasCode)
    throw new CouldNotRun(
      `${url}: This answer is not from a host endpoint, because it has no code: ${got}. Other middleware answers. Run portal-embed-check.`,
    );
  if (subject.hasSession && answer.status === 401)
    throw new CouldNotRun(
      `${url} does not know the session: ${got}. Sign in again and copy the new cookie.`,
    );
  if (subject.hasSession && answer.status === 403)
    throw new CouldNotRun(
      `${url} refuses the user: ${got}. Pass --report with a report of the user, or --origin.`,
    );
}
