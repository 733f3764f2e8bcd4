import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { send } from 'test-support';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import type { Frame, Opened, Reading, ReportPlatform } from '#platform';

import { openInTime } from '../../src/readings/open-in-time.ts';
import { addFramedReport } from '../support/framed-reports.ts';
import { expectProblem } from '../support/http.ts';
import { startLocalFrames } from '../support/local-frame-platform.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession, view } from '../support/viewer.ts';

/** What the platform answers. */
const open = vi.fn<ReportPlatform['open']>();
let portal: TestPortal;
let reportId: string;
beforeAll(async () => {
  const frames = await startLocalFrames();
  const platform = { ...frames.platform, open };
  portal = await startTestPortal({ platforms: [platform] });
  const { acme } = portal;
  ({ reportId } = await addFramedReport(portal, acme, frames, { holders: [acme.emails.both] }));
});
afterAll(() => portal.close());

let bearer: string;
beforeEach(async () => {
  const { acme } = portal;
  ({ bearer } = await startSession(portal, acme, { userEmail: acme.emails.both }));
});
afterEach(() => vi.restoreAllMocks());

const frame: Frame = {
  kind: 'frame',
  url: 'https://product.example/',
  token: 'the-token',
  expiresAt: new Date(Date.now() + 900_000),
  key: 'the-key',
  settings: {},
  unappliedFilters: [],
  filtersAreEnforced: true,
};

const read = (id = reportId) => view(portal.acme.address, bearer, id);
const answerWith = (answer: unknown) => open.mockResolvedValueOnce(answer as Opened);
const lastFailure = () => portal.log.findLast((line) => line.includes('report failed'));
/** Limits of 20 seconds and more end after 50 ms, until the end of the test. */
function shortenLimit(): void {
  const wait = setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((call: () => void, ms = 0) =>
    wait(call, ms >= 20_000 ? 50 : ms),
  );
}

const neverOpens = () => open.mockImplementation(() => new Promise(() => {}));

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['another kind', { kind: 'other' }],
  ['a kept frame although there is none', { kind: 'kept' }],
  ['an empty key', { ...frame, key: '' }],
  ['a key that is too long to be sent back', { ...frame, key: 'k'.repeat(201) }],
  ['no list of filters', { ...frame, unappliedFilters: undefined }],
  ['no end of the token', { ...frame, expiresAt: new Date(NaN) }],
])('a platform that answers with %s has failed', async (_, answer) => {
  answerWith(answer);
  expectProblem(await read(), 'report_failed');
  expect(lastFailure()).toContain('report failed');
});

it('a platform that throws at once has failed', async () => {
  open.mockImplementationOnce(() => {
    throw new Error('for a test');
  });
  const answer = await read();
  expectProblem(answer, 'report_failed');
  expect(answer.body).not.toContain('for a test');
});

it('the log has the texts of an error of a platform, and nothing that its client has attached', async () => {
  const request = { headers: { Authorization: 'Bearer the-secret' }, body: 'secret=the-secret' };
  const cause = Object.assign(new Error('Status 401'), { request });
  const error = Object.assign(new Error('No token', { cause }), { request, code: 'E_TOKEN' });
  open.mockRejectedValueOnce(error);
  expectProblem(await read(), 'report_failed');
  expect(lastFailure()).toContain('"code":"E_TOKEN"');
  expect(lastFailure()).toContain('"message":"No token: Status 401"');
  open.mockRejectedValueOnce(request);
  expectProblem(await read(), 'report_failed');
  expect(portal.log.join('')).not.toContain('the-secret');
});

it('the log has the texts of an error of the web platform, such as a timeout of fetch', async () => {
  open.mockRejectedValueOnce(new DOMException('It took too long', 'TimeoutError'));
  expectProblem(await read(), 'report_failed');
  expect(lastFailure()).toContain('It took too long');
});

it('a reader gets nothing of a frame that the port does not name', async () => {
  answerWith({ ...frame, secret: 'the-secret', report: { id: 'other' }, roles: ['Board'] });
  const answer = await read();
  expect(answer.json()).toMatchObject({
    token: 'the-token',
    report: { id: reportId },
    roles: ['Staff'],
  });
  expect(answer.body).not.toContain('the-secret');
});

it('a reader gets everything of a frame that the port names', async () => {
  const shown = {
    url: 'https://product.example/report',
    key: 'k'.repeat(200),
    settings: { canPrint: true },
    unappliedFilters: ['Planet'],
    filtersAreEnforced: false,
  };
  const expiresAt = new Date(Date.now() + 600_000);
  answerWith({ ...frame, ...shown, expiresAt });
  expect((await read()).json()).toMatchObject({
    ...shown,
    expiresAt: expiresAt.toISOString(),
    secondsLeft: expect.toBeOneOf([598, 599, 600]),
  });
});

it('a report whose filters its platform cannot apply is refused, and the error names them', async () => {
  answerWith({ kind: 'refused', reason: 'filters', detail: 'for nobody', keys: ['Planet'] });
  const answer = await read();
  expectProblem(answer, 'filters_not_applied');
  expect(answer.json().errors).toMatchObject([{ path: 'Planet' }]);
  expect(portal.log.join('')).not.toContain('for nobody');
});

it('a platform that opens nothing within 20 seconds has failed', async () => {
  shortenLimit();
  neverOpens();
  expectProblem(await read(), 'report_failed');
  expect(lastFailure()).toContain('took longer than 20000 ms');
  expect(lastFailure()).toContain('"reason":"timeout"');
  expect(open.mock.lastCall![1].signal.aborted).toBe(true);
});

it('the limit of 20 seconds does not abort what an opened report computes', async () => {
  shortenLimit();
  answerWith(frame);
  const { signal } = new AbortController();
  await openInTime({ name: 'any', open }, {} as Reading, { onTileFailure: () => {}, signal });
  await delay(100);
  expect(open.mock.lastCall![1].signal.aborted).toBe(false);
});

it('a report is not opened for a reader who has left already', async () => {
  const opened = vi.fn<ReportPlatform['open']>();
  const options = { onTileFailure: () => {}, signal: AbortSignal.abort() };
  const opening = openInTime({ name: 'any', open: opened }, {} as Reading, options);
  await expect(opening).rejects.toThrow('aborted');
  expect(opened).not.toHaveBeenCalled();
});

it('values and downloads count as reports that load, prints and favorites do not', async () => {
  const { acme, publicUrl } = portal;
  neverOpens();
  const { bearer: atService } = await startSession(portal, acme, {
    userEmail: acme.emails.both,
    baseUrl: publicUrl,
  });
  const before = open.mock.calls.length;
  const agent = new http.Agent();
  onTestFinished(() => agent.destroy());
  const ask = (id: string, action: string, json: object, method = 'POST') =>
    send(`${publicUrl}/viewer/reports/${id}/${action}`, {
      method,
      headers: { authorization: `Bearer ${atService}` },
      json,
      agent,
    });
  for (let n = 0; n < 10; n++) ask(reportId, 'view', { intent: 'open' }).catch(() => {});
  await expect.poll(() => open.mock.calls.length - before).toBe(10);
  for (const answer of [
    await ask(acme.reportId, 'view', { intent: 'open' }),
    await ask(acme.reportId, 'values', { field: 'Region' }),
    await ask(acme.reportId, 'export', { tile: '0.1.1', format: 'csv' }),
  ]) {
    expectProblem(answer, 'rate_limited');
    expect(answer.headers['retry-after']).toBe('1');
  }
  expect((await ask(acme.reportId, 'print', {})).status).toBe(200);
  const favorite = await ask(acme.reportId, 'favorite', { isFavorite: true }, 'PUT');
  expect(favorite.status).toBe(200);
});

it('readers who leave a report that never opens can load others', async () => {
  const { acme, publicUrl } = portal;
  neverOpens();
  const { bearer: atService } = await startSession(portal, acme, {
    userEmail: acme.emails.both,
    baseUrl: publicUrl,
  });
  const agent = new http.Agent();
  const before = open.mock.calls.length;
  const leaving = Array.from({ length: 10 }, () =>
    send(`${publicUrl}/viewer/reports/${reportId}/view`, {
      method: 'POST',
      headers: { authorization: `Bearer ${atService}` },
      json: { intent: 'open' },
      agent,
    }).catch(() => {}),
  );
  await expect.poll(() => open.mock.calls.length - before).toBe(10);
  expectProblem(await read(acme.reportId), 'rate_limited');
  agent.destroy();
  await Promise.all(leaving);
  await expect.poll(async () => (await read(acme.reportId)).status).toBe(200);
});
