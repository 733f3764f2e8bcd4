import { randomUUID } from 'node:crypto';

import { send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { viewerEndpoints, type ViewerEndpoint } from '../../src/viewer-api/endpoints.ts';
import { expectProblem } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { startSession } from '../support/viewer.ts';

let portal: TestPortal;
let bearer: string;
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme } = portal;
  ({ bearer } = await startSession(portal, acme, { userEmail: acme.emails.west }));
});
afterAll(() => portal.close());

const rows = Object.entries(viewerEndpoints) as [string, ViewerEndpoint][];
const ofReports = rows.filter(([, { path }]) => path.includes('{reportId}'));
const withBody = rows.filter(([, { body }]) => body);

const request = (
  { method, path }: ViewerEndpoint,
  { reportId = randomUUID(), ...options }: { reportId?: string; json?: unknown; session?: string },
) =>
  send(`${portal.acme.address}${path.replace('{reportId}', reportId)}`, {
    method,
    headers: { authorization: `Bearer ${options.session ?? bearer}` },
    ...('json' in options ? { json: options.json } : {}),
  });

describe('a request of the viewer page', () => {
  it.each(rows)('needs a session, before its body is read: %s', async (_name, row) => {
    const answer = await request(row, { session: 'none', json: 'x'.repeat(300_000) });
    expectProblem(answer, 'session_required');
    const { method, path } = row;
    const without = await send(`${portal.acme.address}${path.replace('{reportId}', 'x')}`, {
      method,
    });
    expectProblem(without, 'session_required');
  });

  it.each(ofReports)('is refused if the report in its path is no UUID: %s', async (_name, row) => {
    const answer = await request(row, { reportId: 'x', json: { unknown: 1 } });
    expectProblem(answer, 'invalid_request');
    expect(answer.json().detail).toMatch(/^The report id in the address is not a UUID\./);
  });

  it.each(withBody)('is refused with the unknown fields of its body: %s', async (_name, row) => {
    const answer = await request(row, { json: { unknown: 1 } });
    expectProblem(answer, 'invalid_request');
    expect(answer.json().detail).toBe(
      `The body is not a valid ${row.bodyName}. Correct the fields in errors.`,
    );
    expect(answer.json().errors).toContainEqual({
      path: 'unknown',
      message: 'is not a known field',
    });
  });

  it.each(withBody)('is refused if its body is too large: %s', async (_name, row) => {
    const limit = row.bodyLimit ?? 200_000;
    expectProblem(await request(row, { json: 'x'.repeat(limit) }), 'body_too_large');
    expectProblem(await request(row, { json: 'x'.repeat(limit - 2) }), 'invalid_request');
  });

  it.each(rows)('answers 405 to other methods: %s', async (_name, row) => {
    const path = row.path.replace('{reportId}', randomUUID());
    const answer = await send(`${portal.acme.address}${path}`, { method: 'DELETE' });
    expectProblem(answer, 'method_not_allowed');
    expect(answer.headers['allow']).toBe(row.method === 'GET' ? 'GET, HEAD' : row.method);
  });
});
