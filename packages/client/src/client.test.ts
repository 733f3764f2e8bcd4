import { inspect } from 'node:util';

import { endpoints } from '@portal-embed/contract';
import axios from 'axios';
import { emptyPage, jsonAnswer, problemAnswer, startFakePortal } from 'testing/fake-portal';
import type { FakeAnswer, FakePortal } from 'testing/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createPortalClient, PortalApiError } from './index.ts';
import type { PortalClient } from './index.ts';

const apiKey = 'pk_a_very_secret_key';
const id = '6a1f4c1e-0000-4000-8000-000000000001';
const userEmail = "o'hara+west@acme.example";

let portal: FakePortal;
let client: PortalClient;

beforeEach(async () => {
  portal = await startFakePortal();
  client = createPortalClient({ apiUrl: `${portal.url}/prefix/`, apiKey });
});
afterEach(async () => {
  await client.close();
  await portal[Symbol.asyncDispose]();
});

const reset: FakeAnswer = (_, response) => response.destroy();

const failureOf = async (promise: Promise<unknown>): Promise<PortalApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PortalApiError);
  return error as PortalApiError;
};

describe('every endpoint of the table', () => {
  const user = { email: userEmail, name: 'West', role: 3 };
  const links = { userEmail, reports: [id] };
  const roleUsers = { usersEmails: [userEmail], datasetId: id, role: 'West' };
  const roleGroups = { groups: [id], datasetId: id, role: 'West' };
  const calls: Record<keyof typeof endpoints, (client: PortalClient) => Promise<unknown>> = {
    listUsers: (c) => c.users.list({ name: 'We', pageNumber: 2 }),
    createUser: (c) => c.users.create(user),
    deleteUser: (c) => c.users.delete({ userEmail }),
    linkReports: (c) => c.users.linkReports(links),
    unlinkReports: (c) => c.users.unlinkReports(links),
    listReports: (c) => c.reports.list({ reportName: 'Sales & more' }),
    listRlsRoles: (c) => c.rls.list({ datasetId: id }),
    linkRlsUsers: (c) => c.rls.linkUsers(roleUsers),
    linkRlsGroups: (c) => c.rls.linkGroups(roleGroups),
    unlinkRlsUsers: (c) => c.rls.unlinkUsers(roleUsers),
    unlinkRlsGroups: (c) => c.rls.unlinkGroups(roleGroups),
    listAuditEntries: (c) => c.audit.list({ userEmail }),
    mintIdentityUrl: (c) => c.identity.mintUrl({ userEmail }),
  };
  const sent = {
    listUsers: '?name=We&pageNumber=2',
    deleteUser: "o'hara%2Bwest%40acme.example",
    listReports: '?reportName=Sales+%26+more',
    listRlsRoles: `?datasetId=${id}`,
    listAuditEntries: '?userEmail=o%27hara%2Bwest%40acme.example',
  } as Record<string, string>;
  const bodies = {
    createUser: user,
    linkReports: links,
    unlinkReports: links,
    linkRlsUsers: roleUsers,
    unlinkRlsUsers: roleUsers,
    linkRlsGroups: roleGroups,
    unlinkRlsGroups: roleGroups,
    mintIdentityUrl: { userEmail },
  } as Record<string, unknown>;

  it.each(Object.entries(calls))('%s sends what its row says, with the key', async (name, call) => {
    const row = endpoints[name as keyof typeof endpoints];
    if (row.method === 'GET') portal.answer(jsonAnswer(200, emptyPage));
    await call(client);
    const [request] = portal.received;
    const tail = sent[name] ?? '';
    expect(request).toMatchObject({
      method: row.method,
      url: '/prefix' + row.path.replace('{userEmail}', '') + tail,
      headers: { 'x-api-key': apiKey },
    });
    expect(request!.body).toEqual(bodies[name]);
    expect(portal.received).toHaveLength(1);
  });
});

describe('a portal that is not ours', () => {
  const html = { 'Content-Type': 'text/html; charset=utf-8' };

  it('may answer writes with 200 and an empty body', async () => {
    portal.answer(jsonAnswer(200));
    expect(await client.users.create({ email: userEmail, name: 'W', role: 3 })).toBeUndefined();
    await client.users.delete({ userEmail });
    await client.users.linkReports({ userEmail, reports: [] });
  });

  it.each<[string, FakeAnswer]>([
    ['a list', jsonAnswer(200, [1])],
    ['nothing, of any type', (_, response) => response.writeHead(200, html).end()],
    ['white space', (_, response) => response.writeHead(201, html).end('\n')],
    ['204 and a type', (_, response) => response.writeHead(204, html).end()],
    ['text', jsonAnswer(200, 'done')],
    ['plain text', (_, response) => response.end('OK')],
  ])('may answer writes with %s', async (_, answer) => {
    portal.answer(answer);
    await client.users.linkReports({ userEmail, reports: [] });
    expect(portal.received).toHaveLength(1);
  });

  it.each([
    ['by its type', { 'Content-Type': 'Text/HTML; charset=utf-8' }, 'Please sign in'],
    ['by its content', {}, '\n<!doctype html><title>Sign in</title>'],
  ])(
    'is not mistaken for the page of a proxy that answers a write, known %s',
    async (_, head, page) => {
      portal.answer((__, response) => response.writeHead(200, head).end(page));
      for (const each of [
        client,
        createPortalClient({ apiUrl: portal.url, apiKey, axios: axios.create() }),
      ]) {
        portal.received.length = 0;
        const error = await failureOf(each.users.delete({ userEmail }));
        expect(error).toMatchObject({
          code: 'portal_answer_invalid',
          status: 200,
          retryable: false,
        });
        expect(error.message).toContain('Check that apiUrl');
        expect(portal.received).toHaveLength(1);
      }
    },
  );

  it('may answer with fields that we do not know', async () => {
    const report = {
      id,
      name: 'Sales',
      description: null,
      datasetId: id,
      embedUrl: 'https://x.test',
    };
    const rest = { workspaceId: id, reportType: 1, folderId: 7, workspaceName: 'W', userOwner: {} };
    portal.answer(
      jsonAnswer(200, { ...emptyPage, total: 1, data: [{ ...report, ...rest, colour: 'red' }] }),
    );
    expect((await client.reports.list()).data).toEqual([{ ...report, ...rest }]);
  });

  it('gets no paging parameters unless asked for', async () => {
    portal.answer(jsonAnswer(200, emptyPage));
    await client.users.list();
    await client.users.list({ name: '' });
    expect(portal.received.map((each) => each.url)).toEqual([
      '/prefix/api/user',
      '/prefix/api/user',
    ]);
  });

  it('is told apart from a page that answers in its place', async () => {
    portal.answer((_, response) => response.end('<html>Welcome</html>'));
    const error = await failureOf(client.identity.mintUrl({ userEmail }));
    expect(error).toMatchObject({ code: 'portal_answer_invalid', retryable: false });
    expect(error.message).toContain('Check that apiUrl');
  });

  it.each([
    [400, 'invalid_request'],
    [401, 'invalid_api_key'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [409, 'user_exists'],
    [418, 'invalid_request'],
  ])('has its status %i read as %s when its errors carry no code', async (status, code) => {
    portal.answer(jsonAnswer(status, { message: 'no' }));
    expect(await failureOf(client.identity.mintUrl({ userEmail }))).toMatchObject({ code, status });
  });
});

describe('an error', () => {
  it("carries the portal's code, status, request id and field errors", async () => {
    const errors = [{ path: 'userEmail', message: 'is odd' }];
    const problem = { code: 'user_not_found', detail: 'Create it.', requestId: 'r-1', errors };
    portal.answer(jsonAnswer(404, problem));
    const error = await failureOf(client.identity.mintUrl({ userEmail }));
    expect(error).toMatchObject({
      code: 'user_not_found',
      status: 404,
      requestId: 'r-1',
      retryable: false,
      errors,
    });
    expect(error.message).toBe(
      'POST /api/identity/url was answered 404 user_not_found: Create it.',
    );
  });

  it('names the fields of input that was not sent', async () => {
    const error = await failureOf(client.identity.mintUrl({ userEmail: 'nobody', reportId: id }));
    expect(error).toMatchObject({ code: 'invalid_request', status: undefined });
    expect(error.message).toContain('userEmail must be an e-mail address');
    expect(portal.received).toHaveLength(0);
  });

  it.each(['PK.Mixed_Case-KEY', apiKey.toUpperCase()])(
    'never shows the key %s in another letter case, as a host name would',
    async (mixed) => {
      const own = createPortalClient({ apiUrl: portal.url, apiKey: mixed });
      const evil = `https://${mixed}.evil.test/`;
      for (const answer of [
        jsonAnswer(307, undefined, { Location: evil }),
        jsonAnswer(400, { code: 'invalid_request', detail: mixed.toLowerCase() }),
      ]) {
        portal.answer(answer);
        const error = await failureOf(own.users.delete({ userEmail }));
        expect(inspect(error).toLowerCase()).not.toContain(mixed.toLowerCase());
      }
      await own.close();
    },
  );

  it('never shows the key, even where the portal repeats it', async () => {
    const echo = jsonAnswer(
      400,
      {
        code: 'invalid_request',
        detail: `bad ${apiKey}`,
        requestId: apiKey,
        errors: [{ path: apiKey, message: apiKey }],
      },
      { 'X-Request-Id': apiKey },
    );
    const inHeader = jsonAnswer(400, {}, { 'X-Request-Id': apiKey });
    const redirect = jsonAnswer(307, undefined, { Location: `https://${apiKey}.evil.test/` });
    const injected = createPortalClient({ apiUrl: portal.url, apiKey, axios: axios.create() });
    for (const answer of [echo, inHeader, redirect, reset])
      for (const each of [client, injected]) {
        portal.answer(answer);
        const error = await failureOf(each.users.delete({ userEmail }));
        expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(apiKey);
        expect(JSON.stringify(error)).not.toContain(apiKey);
      }
  });
});

describe('an injected axios', () => {
  const clientWith = (configure: (instance: ReturnType<typeof axios.create>) => void) => {
    const instance = axios.create();
    configure(instance);
    const limits = { attemptTimeoutMs: 100, totalTimeoutMs: 200, maxAttempts: 1 };
    return createPortalClient({ apiUrl: portal.url, apiKey, axios: instance, ...limits });
  };
  const hang = () => new Promise<never>(() => {});

  it('whose interceptors hang does not outlast the time limit', async () => {
    portal.answer(jsonAnswer(204));
    for (const hanging of [
      clientWith(({ interceptors }) => interceptors.request.use(hang)),
      clientWith(({ interceptors }) => interceptors.response.use(hang)),
    ])
      expect(await failureOf(hanging.users.delete({ userEmail }))).toMatchObject({
        code: 'portal_timeout',
      });
  });

  it('whose own time limit ends an attempt is not told to check DNS', async () => {
    portal.answer(() => {});
    const impatient = clientWith((instance) => (instance.defaults.timeout = 20));
    expect(await failureOf(impatient.users.delete({ userEmail }))).toMatchObject({
      code: 'portal_timeout',
    });
  });
});

describe('an error of an interceptor', () => {
  const failing = (key: string, thrown: unknown) => {
    const instance = axios.create();
    instance.interceptors.request.use(() => Promise.reject(thrown));
    return createPortalClient({ apiUrl: portal.url, apiKey: key, axios: instance, maxAttempts: 1 });
  };

  it.each([apiKey, 'PK_KEY_IN_CAPITALS'])('never shows the key %s in its code', async (key) => {
    for (const code of [key, `E_${key}`, key.toUpperCase(), `ECONNRESET ${key}`]) {
      const own = failing(key, Object.assign(new Error(key), { code }));
      const error = await failureOf(own.users.delete({ userEmail }));
      expect(error.code).toBe('portal_unavailable');
      const shown = inspect(error, { depth: 20, showHidden: true });
      expect(shown.toLowerCase()).not.toContain(key.toLowerCase());
    }
  });

  it.each([
    undefined,
    null,
    'text',
    7,
    { code: 7 },
    { code: 'sent cGs=' },
    { code: ['ECONNREFUSED'] },
  ])('may be anything, and tells no more than the code of a system error: %j', async (thrown) => {
    const error = await failureOf(failing(apiKey, thrown).users.delete({ userEmail }));
    expect(error).toMatchObject({ code: 'portal_unavailable' });
    expect(error.message).toContain('did not reach the portal (unknown)');
  });
});

describe('the API key', () => {
  it('is not to be seen in the client', () => {
    for (const shown of [inspect(client, { depth: 20, showHidden: true }), JSON.stringify(client)])
      expect(shown).not.toContain(apiKey);
  });

  it.each([
    ['the built-in transport', undefined],
    ['an injected axios', axios.create()],
    ['an injected axios on fetch', axios.create({ adapter: 'fetch' })],
  ])('is not carried along by a redirect, with %s', async (_, instance) => {
    await using other = await startFakePortal();
    const own = createPortalClient({ apiUrl: portal.url, apiKey, axios: instance });
    for (const status of [301, 302, 303, 307, 308]) {
      portal.answer(jsonAnswer(status, undefined, { Location: other.url }));
      const error = await failureOf(own.identity.mintUrl({ userEmail }));
      expect(error).toMatchObject({ code: 'portal_redirected', status });
    }
    expect(other.received).toHaveLength(0);
    await own.close();
  });
});

const mintAt = async (date: string | undefined, expiresAt: string) => {
  portal.answer((_, response) => {
    response.sendDate = false;
    if (date) response.setHeader('Date', date);
    response.end(JSON.stringify({ embedUrl: 'https://portal.test/identity', expiresAt }));
  });
  return (await client.identity.mintUrl({ userEmail })).expiresIn;
};

describe('expiresIn', () => {
  it("counts by the portal's clock", async () => {
    expect(await mintAt('Tue, 01 Jan 2030 00:00:00 GMT', '2030-01-01T00:04:30.5Z')).toBe(270);
  });

  it('counts by the local clock if the portal does not tell the time', async () => {
    const expiresAt = Date.now() + 60_000;
    const seconds = await mintAt(undefined, new Date(expiresAt).toISOString());
    expect(seconds).toBeGreaterThanOrEqual(Math.floor((expiresAt - Date.now()) / 1_000));
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it('stays between 0 and 300', async () => {
    expect(await mintAt('Tue, 01 Jan 2030 00:00:00 GMT', '2040-01-01T00:00:00Z')).toBe(300);
    expect(await mintAt('Tue, 01 Jan 2030 00:00:00 GMT', '2020-01-01T00:00:00Z')).toBe(0);
  });

  it.each(['soon', '', 'token=t0ken'])('is not made up where expiresAt is %j', async (moment) => {
    const error = await failureOf(mintAt('Tue, 01 Jan 2030 00:00:00 GMT', moment));
    expect(error).toMatchObject({ code: 'portal_answer_invalid', status: 200, retryable: false });
    expect(error.message).toContain('has no date in expiresAt');
    expect(error.message).not.toContain('t0ken');
  });
});

describe('a request id', () => {
  it('is sent, and comes back in the error', async () => {
    portal.answer(jsonAnswer(404, {}));
    const call = client.users.delete({ userEmail }, { requestId: 'host-7' });
    expect(await failureOf(call)).toMatchObject({ requestId: 'host-7' });
    expect(portal.received[0]!.headers['x-request-id']).toBe('host-7');
  });

  it.each(['', 'a b', 'a\r\nX-API-Key: other', 'ümlaut', 'x'.repeat(201), 7 as never])(
    'that no header can carry is refused, and nothing is sent: %j',
    async (requestId) => {
      const error = await failureOf(client.users.delete({ userEmail }, { requestId }));
      expect(error).toMatchObject({ code: 'invalid_request', status: undefined, retryable: false });
      expect(error.message).toBe(
        'DELETE /api/user/{userEmail} was not sent: requestId must be 1 to 200 visible ASCII characters',
      );
      expect(error.errors).toMatchObject([{ path: 'requestId' }]);
      expect(portal.received).toHaveLength(0);
    },
  );

  it('may hold any visible character, up to 200 of them', async () => {
    for (const requestId of ['!', `~${'x'.repeat(199)}`]) {
      await client.users.delete({ userEmail }, { requestId });
      expect(portal.received.at(-1)!.headers['x-request-id']).toBe(requestId);
    }
  });

  it("is the portal's own where it names one", async () => {
    portal.answer(problemAnswer(404, 'user_not_found'));
    const call = client.users.delete({ userEmail }, { requestId: 'host-7' });
    expect(await failureOf(call)).toMatchObject({ requestId: 'portal-1' });
  });
});

describe('the connections of a client', () => {
  it('are no more than maxConnections', async () => {
    const own = createPortalClient({ apiUrl: portal.url, apiKey, maxConnections: 2 });
    const sockets = new Set<unknown>();
    portal.answer(async (request, response) => {
      sockets.add(response.socket);
      // The first one waits until all connections are in use.
      await expect.poll(() => sockets.size).toBeGreaterThanOrEqual(2);
      jsonAnswer(200, emptyPage)(request, response);
    });
    await Promise.all(Array.from({ length: 10 }, () => own.users.list()));
    await own.close();
    expect(sockets.size).toBe(2);
  });

  it.each([
    ['the built-in transport', undefined],
    ['an injected axios', axios.create()],
  ])('carry no answer of more than 32 MB, with %s', async (_, instance) => {
    // An attempt that no machine is too slow for, so that the size ends it and not the time.
    const limits = { maxAttempts: 1, attemptTimeoutMs: 60_000, totalTimeoutMs: 60_000 };
    const own = createPortalClient({ apiUrl: portal.url, apiKey, axios: instance, ...limits });
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    let sent = 0;
    portal.answer((__, response) => {
      const more = () => {
        if (response.destroyed || sent === 200) response.end();
        else if (++sent && response.write(chunk)) setImmediate(more);
        else response.once('drain', more);
      };
      response.once('close', more);
      more();
    });
    expect(await failureOf(own.users.list())).toMatchObject({ code: 'portal_unavailable' });
    expect(sent).toBeLessThan(100);
    await own.close();
  });
});

it('a call leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((each) => each === 'Timeout').length;
  const before = timers();
  await client.identity.mintUrl({ userEmail });
  expect(timers()).toBeLessThanOrEqual(before);
});
