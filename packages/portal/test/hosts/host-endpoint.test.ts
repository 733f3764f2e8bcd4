import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';

import type { HostRequest } from '@portal-embed/contract';
import { checkPortal, portalEmbed } from '@portal-embed/express';
import express from 'express';
import { findFreePort, send, type Answer } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { TilesView } from '#viewer/requests';

import type { TestOrganization } from '../support/organization.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { open, readSession, view } from '../support/viewer.ts';

let portal: TestPortal;
let server: Server;
let port: number;

const tenant = ({ apiKey, id, address }: TestOrganization) => ({
  apiUrl: portal.publicUrl,
  apiKey,
  organizationId: id,
  portalUrl: address,
});

beforeAll(async () => {
  portal = await startTestPortal();
  const { acme, globex } = portal;
  const app = express();
  app.use(
    '/portal-embed',
    portalEmbed({
      tenants: {
        'acme.localhost': tenant(acme),
        'globex.localhost': tenant(globex),
        'wrong-key.localhost': { ...tenant(acme), apiKey: 'pk_wrong' },
      },
      user: (req) => {
        const email = req.get('X-Test-User');
        return email ? { email } : null;
      },
      authorize: ({ user }) =>
        user.email !== acme.emails.both || {
          lockedFilters: [{ key: 'ORDERS/category', value: 'Desks' }],
        },
      provision: ({ user }) =>
        user.email.startsWith('new')
          ? {
              name: 'New',
              role: 3,
              reports: [acme.reportId],
              rlsRoles: [{ datasetId: acme.datasetId, role: 'East' }],
            }
          : null,
    }),
  );
  port = await findFreePort();
  server = createServer(app).listen(port, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await portal.close();
});

const requestUrl = (email: string | undefined, json: HostRequest = {}, host = 'acme.localhost') =>
  send(`http://${host}:${port}/portal-embed/url`, {
    method: 'POST',
    json,
    headers:
      email === undefined
        ? {}
        : { 'x-test-user': email, 'x-request-id': `host-${email.split('@')[0]}` },
  });

const total = (answer: Answer) => {
  const { page } = answer.json() as TilesView;
  return page.rows.flat().find(({ id }) => id === '0.0.0');
};

/** Opens the report as the signed-in user and reads its total. */
async function readTotal(email: string, options: HostRequest = {}): Promise<unknown> {
  const { acme } = portal;
  const minted = await requestUrl(email, { reportId: acme.reportId, ...options });
  expect(minted.status).toBe(200);
  const session = readSession(await open(minted.json().embedUrl));
  return total(await view(acme.address, session.bearer, acme.reportId));
}

describe('the host endpoint with our portal', () => {
  it('shows each user their own rows', async () => {
    const { emails } = portal.acme;
    expect(await readTotal(emails.west)).toMatchObject({ value: 30 });
    expect(await readTotal(emails.east)).toMatchObject({ value: 40 });
  });

  it('does not let a browser override a locked filter in any letter case', async () => {
    const { emails } = portal.acme;
    expect(await readTotal(emails.both)).toMatchObject({ value: 45 });
    const chairs = [{ key: 'category', value: 'Chairs' }];
    const refused = await requestUrl(emails.both, {
      reportId: portal.acme.reportId,
      customFilters: chairs,
    });
    expect([refused.status, refused.json().code]).toEqual([403, 'forbidden']);
  });

  it('answers 400 to more than 16,384 bytes of filters and mints no URL', async () => {
    const { acme } = portal;
    const customFilters = Array.from({ length: 17 }, () => ({
      key: 'Region',
      value: 'x'.repeat(1_000),
    }));
    const refused = await requestUrl(acme.emails.west, { reportId: acme.reportId, customFilters });
    expect([refused.status, refused.json()]).toMatchObject([
      400,
      { code: 'invalid_request', errors: [{ path: 'customFilters' }] },
    ]);
    const fewer = { reportId: acme.reportId, customFilters: customFilters.slice(0, 15) };
    expect((await requestUrl(acme.emails.west, fewer)).status).toBe(200);
  });

  it('provisions a new user, who then sees their rows', async () => {
    expect(await readTotal('new@acme.example')).toMatchObject({ value: 40 });
  });

  it.each([
    ['a signed-out user', undefined, {}, 'acme.localhost', 401, 'not_signed_in'],
    ['a stranger', 'stranger@acme.example', {}, 'acme.localhost', 403, 'no_portal_user'],
    [
      'a user of another tenant',
      'west@acme.example',
      {},
      'globex.localhost',
      403,
      'no_portal_user',
    ],
    ['an unknown host name', 'west@acme.example', {}, 'other.localhost', 404, 'unknown_tenant'],
    ['a wrong key', 'west@acme.example', {}, 'wrong-key.localhost', 502, 'portal_rejected_key'],
  ])('answers %s with a specific error', async (_, email, json, host, status, code) => {
    const answer = await requestUrl(email, json, host);
    expect([answer.status, answer.json().code]).toEqual([status, code]);
  });

  it('answers 403 for an inaccessible report', async () => {
    const { emails, reportId } = portal.acme;
    const answer = await requestUrl(emails.outsider, { reportId });
    expect([answer.status, answer.json().code]).toEqual([403, 'report_not_accessible']);
  });

  it('appears in the log of the portal with its request ID', async () => {
    const { emails } = portal.acme;
    const answer = await requestUrl(emails.west);
    expect(answer.headers['x-request-id']).toBe('host-west');
    expect(portal.log.some((line) => line.includes('"host-west"'))).toBe(true);
  });
});

describe('checkPortal', () => {
  const problems = async (changes: object, hostOrigin = portal.acme.embedOrigin) => {
    const checked = { ...tenant(portal.acme), ...changes };
    const findings = await checkPortal({ tenant: checked, hostOrigin, provision: true });
    return findings.filter(({ ok }) => !ok).map(({ check }) => check);
  };

  it('reports nothing for a configured organization', async () => {
    expect(await problems({})).toEqual([]);
  });

  it.each([
    ['a wrong key', () => ({ apiKey: 'pk_wrong' }), ['key', 'provisioning']],
    ['another organization', () => ({ organizationId: portal.globex.id }), ['key']],
    [
      'an unregistered portal URL',
      () => ({ portalUrl: 'http://x.localhost:1' }),
      ['key', 'embed origins'],
    ],
    ['a wrong path', () => ({ apiUrl: `${portal.publicUrl}/api` }), ['address']],
  ])('reports %s', async (_, changes, checks) => {
    expect(await problems(changes())).toEqual(checks);
  });

  it('reports that a page of another origin may not frame the portal', async () => {
    expect(await problems({}, 'https://other.example')).toEqual(['embed origins']);
  });
});
