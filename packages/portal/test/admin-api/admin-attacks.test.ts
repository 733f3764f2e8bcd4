import { randomUUID } from 'node:crypto';

import { createChooser } from 'test-support/hostile-values';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';

import { type AdminEndpoint, adminEndpoints } from '#admin/requests';

import { openAdminBrowser, signInAs, type AdminBrowser } from '../support/admin.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
let hostile: AdminBrowser;
let userId: string;
beforeAll(async () => {
  portal = await startTestPortal();
  hostile = await signInAs(portal, portal.acme, 1, 'mallory@acme.example');
  const { data } = (await portal.api('GET', '/api/user?email=west')).json();
  userId = data[0].id;
});
afterAll(() => portal.close());

const rows = Object.entries(adminEndpoints) as [string, AdminEndpoint][];

/** Texts that databases, JSON, headers and patterns trip over. */
const chooseTexts = createChooser([
  'a\u0000b',
  '\uD800',
  `'; DROP TABLE users; --`,
  '%_\\',
  '__proto__',
  'x\r\nSet-Cookie: a=b',
  '//evil.example/\\evil',
  `${'a'.repeat(80)}!`,
  '\u202E9999-99-99T99:99:99Z',
]);

/** A value of the schema's shape, with the text in every place that takes one. */
function fill(schema: z.ZodType, name: string, text: string): unknown {
  const def = schema.def as unknown as { type: string } & Record<string, unknown>;
  const inner = def['innerType'] as z.ZodType | undefined;
  if (def.type === 'object')
    return Object.fromEntries(
      Object.entries(def['shape'] as Record<string, z.ZodType>).map(([key, value]) => [
        key,
        fill(value, key, text),
      ]),
    );
  if (def.type === 'array') return [fill(def['element'] as z.ZodType, name, text)];
  if (def.type === 'enum') return Object.values(def['entries'] as object)[0];
  if (def.type === 'number' || def.type === 'int') return 1;
  if (def.type === 'boolean') return true;
  if (def.type === 'pipe') return fill(def['in'] as z.ZodType, name, text);
  if (inner) return fill(inner, name, text);
  const { format } = def;
  if (format === 'guid' || format === 'uuid' || /Ids?$/.test(name)) return userId;
  if (format === 'datetime') return '2027-01-01T00:00:00Z';
  return text;
}

/** Without halves of surrogate pairs, which no address can have. */
const toWellFormed = (text: string) => Buffer.from(text).toString();

/** Ids that exist, so that requests get as far as possible. */
const fillPath = (path: string, text: string) =>
  path
    .replace('{organizationId}', portal.acme.id)
    .replace('{userId}', userId)
    .replace('{reportId}', portal.acme.reportId)
    .replace('{groupId}', portal.acme.groupId)
    .replace(/\{itemId\}|\{datasetId\}/, portal.acme.datasetId)
    .replace('{kind}', 'datasets')
    .replace(/\{\w+Id\}/g, () => randomUUID())
    .replace(/\{\w+\}/g, encodeURIComponent(toWellFormed(text)));

// These would end the attack or remove what it uses.
const spared = new Set(['signOut', 'changePassword', 'deleteUser', 'deleteGroup']);

it.each(rows.filter(([name]) => !spared.has(name)))(
  '%s accepts or refuses hostile texts, and never fails',
  async (_, row) => {
    for (const text of chooseTexts()) {
      const query = row.query ? (fill(row.query, '', text) as Record<string, unknown>) : {};
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]): [string, string] => [
          key,
          toWellFormed(String(value)),
        ]),
      ).toString();
      const answer = await hostile.send(row.method, `${fillPath(row.path, text)}?${search}`, {
        ...(row.body && { json: fill(row.body, '', text) }),
      });
      expect([text, answer.status < 500 ? 'answered' : answer.body]).toEqual([text, 'answered']);
      expect(answer.headers['set-cookie']?.join() ?? '').not.toContain('a=b');
    }
  },
);

it.each(rows.filter(([, { path }]) => /\{(?!organizationId\})/.test(path)))(
  '%s refuses hostile texts in its path',
  async (_, { method, path, ...row }) => {
    for (const text of chooseTexts()) {
      const address = path
        .replace('{organizationId}', portal.acme.id)
        .replace(/\{\w+\}/g, encodeURIComponent(toWellFormed(text)));
      const { status } = await hostile.send(method, address, { ...(row.body && { json: {} }) });
      expect([text, Math.floor(status / 100)]).toEqual([text, 4]);
    }
  },
);

it('files that are sent at the same time share the limit of waiting files', async () => {
  const admin = await signInAs(portal, portal.globex, 1, 'mallory@globex.example');
  const path = `/organizations/${portal.globex.id}/uploads?fileName=a.csv`;
  const copies = Array.from({ length: 30 }, () => openAdminBrowser(portal, admin.cookie()));
  const answers = await Promise.all(
    copies.map((copy) => copy.send('POST', path, { body: 'Region,Sales\nWest,1\n' })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(new Set(statuses).has(503)).toBe(true);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(10);
});
