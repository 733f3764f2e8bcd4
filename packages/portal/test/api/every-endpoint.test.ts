import {
  endpoints,
  permissions,
  type Endpoint,
  type EndpointName,
  type ErrorCode,
} from '@portal-embed/contract';
import { send } from 'test-support';
import { createChooser, injections, strangeTexts, wrongShapes } from 'test-support/hostile-values';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { linkGroups } from '../../src/access/role-links.ts';
import type { Context } from '../../src/actor/actor.ts';
import { generateApiKey } from '../../src/api-keys/format.ts';
import { createApiKey } from '../../src/api-keys/service.ts';
import { auditRoutes } from '../../src/api/access-log.ts';
import { contentRoutes } from '../../src/api/apply-content.ts';
import { identityUrlRoutes } from '../../src/api/identity-urls.ts';
import type { Handlers } from '../../src/api/mount.ts';
import { reportRoutes } from '../../src/api/reports.ts';
import { rlsRoutes } from '../../src/api/rls.ts';
import { userRoutes } from '../../src/api/users.ts';
import { sessionRoutes } from '../../src/api/viewer-sessions.ts';
import { keyActor } from '../support/actors.ts';
import { foreignCalls, harmlessCalls, requestOf, type Call } from '../support/calls.ts';
import { dumpTables } from '../support/dump.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';
import { mint } from '../support/viewer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
  const { acme } = portal;
  const { ctx, datasetId, groupId, reportId } = acme;
  // Another organization's key must neither unlink nor read these.
  await linkGroups(ctx, { groups: [groupId], datasetId, role: 'East' });
  await mint(portal, acme, { userEmail: acme.emails.west, reportId });
});
afterAll(() => portal.close());

const handlers: Handlers = {
  ...userRoutes,
  ...reportRoutes,
  ...rlsRoutes,
  ...auditRoutes,
  ...identityUrlRoutes,
  ...sessionRoutes,
  ...contentRoutes({ datasetFolder: '/nonexistent' }),
};

const rows = Object.entries(endpoints) as [EndpointName, Endpoint][];

const callOf = (name: EndpointName) => harmlessCalls[name].call(portal.acme);

function perform(name: EndpointName, call: Call, key: string | null = portal.acme.apiKey) {
  const { method, path, json } = requestOf(name, call);
  return portal.api(method, path, { key, json });
}

/** Runs `work` and expects every row of every table to stay as it is. */
async function expectNoChange(work: () => Promise<unknown>): Promise<void> {
  const before = await dumpTables(portal.db);
  await work();
  expect(await dumpTables(portal.db)).toEqual(before);
}

/** No response may reveal the implementation. */
function expectNoDisclosure(body: string): void {
  expect(body).not.toMatch(
    /syntax error|node_modules|at async|rls_role_users|report_users|organization_id|email_key|\$\d+::/,
  );
}

const chooseTexts = createChooser([...injections, ...strangeTexts]);

/** Yields a copy of the call for each scalar value and each of its replacements. */
function* replaceScalars(call: Call, replacement: (value: unknown) => unknown[]) {
  const paths: (string | number)[][] = [];
  const walk = (node: unknown, path: (string | number)[]): void => {
    if (typeof node !== 'object' || node === null) paths.push(path);
    else for (const key of Object.keys(node)) walk((node as never)[key], [...path, key]);
  };
  walk(call, []);
  for (const path of paths) {
    let value: unknown = call;
    for (const key of path) value = (value as never)[key];
    for (const each of replacement(value)) {
      const copy = structuredClone(call) as never;
      let node: Record<string, unknown> = copy;
      for (const key of path.slice(0, -1)) node = node[key] as Record<string, unknown>;
      node[path.at(-1)!] = each;
      yield { path: path.join('.'), value: each, call: copy as Call };
    }
  }
}

describe.each(rows)('%s', (name, row) => {
  it('an endpoint accepts a valid call that changes nothing', async () => {
    await expectNoChange(async () => {
      const answer = await perform(name, callOf(name));
      expect([answer.status, answer.body]).toEqual([harmlessCalls[name].status, expect.anything()]);
    });
  });

  it('an endpoint answers 401 without a key and with any invalid key', async () => {
    const { apiKey } = portal.acme;
    const wrong = [
      null,
      '',
      'x',
      generateApiKey(),
      apiKey.slice(0, -1),
      `${apiKey}0`,
      apiKey.toUpperCase(),
      `Bearer ${apiKey}`,
      `${apiKey}, ${apiKey}`,
      ...injections.filter((text) => /^[ -~]*$/.test(text)),
    ];
    await expectNoChange(async () => {
      for (const key of wrong) {
        const answer = await perform(name, callOf(name), key);
        expect([key, answer.status]).toEqual([key, 401]);
        expect(answer.json().code).toBe('invalid_api_key');
      }
    });
  });

  it('an endpoint answers 403 to a key with every permission but the required one', async () => {
    const others = permissions.filter((permission) => permission !== row.permission);
    const { ctx } = portal.acme;
    const { key } = await createApiKey(ctx, { name: `not ${name}`, permissions: others });
    await expectNoChange(async () => {
      const answer = await perform(name, callOf(name), key);
      expect([answer.status, answer.json().code]).toEqual([403, 'missing_permission']);
      expect(answer.json().detail).toContain(row.permission);
      const bad = await perform(name, { ...callOf(name), query: { surprise: '1' } }, key);
      expect([bad.status, bad.json().code]).toEqual([403, 'missing_permission']);
    });
  });

  it('an endpoint checks the permission in its handler too, for callers other than HTTP', async () => {
    const { ctx, id } = portal.acme;
    const others = new Set(permissions.filter((permission) => permission !== row.permission));
    const asKey = { ...ctx, actor: { ...keyActor(id), permissions: others } };
    const { params, query, body } = callOf(name);
    const handle = handlers[name] as (caller: Context, input: object) => Promise<unknown>;
    await expectNoChange(() =>
      expect(handle(asKey, { ...params, ...query, ...body })).rejects.toMatchObject({
        code: 'missing_permission',
        message: expect.stringContaining(row.permission),
      }),
    );
  });

  it('an endpoint neither shows nor changes data of an organization for another organization’s key', async () => {
    const { acme, globex } = portal;
    const { answer: expected, call } = foreignCalls[name];
    await expectNoChange(async () => {
      const answer = await perform(name, call(acme), globex.apiKey);
      expect(answer.status < 300 ? answer.status : answer.json().code).toBe(expected);
      // Each organization has its own users, so the call that Acme rejects succeeds in Globex.
      if (answer.status === 201)
        await perform('deleteUser', { params: { userEmail: acme.emails.west } }, globex.apiKey);
      for (const secret of [acme.reportId, acme.groupReportId, acme.groupId, acme.id])
        expect(answer.status < 300 ? answer.body : '').not.toContain(secret);
    });
  });

  it('an endpoint answers 400 to an unknown field in the query or body', async () => {
    const call = callOf(name);
    await expectNoChange(async () => {
      for (const field of [
        'surprise',
        '__proto__',
        'constructor',
        'USEREMAIL',
        'organization_id',
      ]) {
        const surprise = JSON.parse(`{ "${field}": "x" }`) as Record<string, unknown>;
        const variants: Call[] = [{ ...call, query: { ...call.query, ...surprise } }];
        if (call.body) variants.push({ ...call, body: { ...call.body, ...surprise } });
        for (const variant of variants) {
          const own = Object.hasOwn(variant.body ?? variant.query ?? {}, field);
          const answer = await perform(name, variant);
          expect([field, own, answer.status]).toEqual([field, own, 400]);
        }
      }
    });
  });

  it('an endpoint rejects an object, a list, null or a huge text in place of each value', async () => {
    await expectNoChange(async () => {
      for (const { path, value, call } of replaceScalars(callOf(name), wrongShapes)) {
        const answer = await perform(name, call);
        // Queries and paths contain only text: there, `{}` is the filter "{}".
        const isText = !path.startsWith('body') && answer.status === 200;
        expect([path, value, isText || answer.status >= 400, answer.status < 500]).toEqual([
          path,
          value,
          true,
          true,
        ]);
        expectNoDisclosure(answer.body);
      }
    });
  });

  it('handles SQL and unusual text in each value safely', async () => {
    await expectNoChange(async () => {
      for (const { path, value, call } of replaceScalars(callOf(name), chooseTexts)) {
        const answer = await perform(name, call);
        expect([path, value, answer.status < 500]).toEqual([path, value, true]);
        const found = row.method === 'GET' && answer.status === 200 ? answer.json().data : [];
        const isInjection = injections.includes(String(value));
        expect([path, value, isInjection && found.length > 0]).toEqual([path, value, false]);
        expectNoDisclosure(answer.body);
      }
    });
  });

  it('an endpoint exists at exactly one path, regardless of slashes, encoding and letter case', async () => {
    const { method, path, json } = requestOf(name, callOf(name));
    const [pathname = '', query] = path.split('?', 2);
    // A suffix of the last segment makes another e-mail if the segment is an e-mail.
    const suffixes = ['%2f', ';a=b', '%00', '%20', '.json'];
    const codeOf = (trick: string, key: string | undefined): ErrorCode => {
      if (trick.startsWith('\\')) return 'invalid_request';
      const suffix = suffixes.find((each) => trick === pathname + each);
      // It is another file, which no name of a data file may be.
      if (suffix && name === 'putDataFile') return key ? 'invalid_request' : 'invalid_api_key';
      if (!suffix || !/^\/api\/user\/[^/]+$/.test(pathname)) return 'not_found';
      if (name !== 'deleteUser') return 'method_not_allowed';
      if (!key) return 'invalid_api_key';
      return suffix === '.json' ? 'user_not_found' : 'invalid_request';
    };
    const tricks = [
      `/${pathname}`,
      pathname.replace('/api/', '/api//'),
      pathname.replace('/api/', '//api/'),
      pathname.replace('/api/', '/api%2f'),
      pathname.replace('/api/', '/api%2F'),
      pathname.replace('/api/', '/api/./'),
      pathname.replace('/api/', '/x/../api/'),
      pathname.replace('/api/', '/api/%2e%2e/api/'),
      pathname.replace('/api/', '/api/..;/api/'),
      pathname.replace('/api/', '/API/'),
      pathname.replace('/api/', '\\api\\'),
      `${pathname}/`,
      ...suffixes.map((suffix) => pathname + suffix),
      `http://evil.example${pathname}/`,
      ...(pathname.includes('/user') ? [pathname.replace('/user', '/User')] : []),
    ];
    await expectNoChange(async () => {
      for (const trick of tricks)
        for (const key of [portal.acme.apiKey, undefined]) {
          const answer = await send(portal.publicUrl, {
            method,
            path: query ? `${trick}?${query}` : trick,
            headers: { 'content-type': 'application/json', ...(key ? { 'x-api-key': key } : {}) },
            body: json === undefined ? '' : JSON.stringify(json),
          });
          expect([trick, answer.json().code]).toEqual([trick, codeOf(trick, key)]);
          expect(answer.headers['content-type']).toContain('application/problem+json');
        }
    });
  });
});
