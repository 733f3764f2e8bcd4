import { jsonAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { createPortalClient } from './index.ts';
import type { PortalClient } from './index.ts';

const role = (name: string) => ({
  id: name,
  name,
  users: [],
  groups: [],
  datasetId: 'd',
  userEmails: [],
});
const total = 5;

let portal: FakePortal;
let client: PortalClient;
beforeEach(async () => {
  portal = await startFakePortal((request, response) => {
    const pageIndex = Number(new URL(request.url, portal.url).searchParams.get('pageNumber') ?? 1);
    const data = [role(`${pageIndex}a`), role(`${pageIndex}b`)];
    const [hasNextPage, hasPreviousPage] = [pageIndex < total, pageIndex > 1];
    jsonAnswer(200, { pageIndex, totalPages: total, hasNextPage, hasPreviousPage, data })(
      request,
      response,
    );
  });
  client = createPortalClient({ apiUrl: portal.url, apiKey: 'pk_1' });
});
afterEach(async () => {
  await client.close();
  await portal[Symbol.asyncDispose]();
});

it('iterate yields all items in order and sends the filters with each page', async () => {
  const names: string[] = [];
  const datasetId = '6a1f4c1e-0000-4000-8000-000000000001';
  for await (const { name } of client.rls.iterate({ datasetId })) names.push(name);
  expect(names).toEqual([1, 2, 3, 4, 5].flatMap((page) => [`${page}a`, `${page}b`]));
  expect(portal.received.every((each) => each.url.includes(datasetId))).toBe(true);
});

it('iterate fetches a page when its first item is needed', async () => {
  for await (const { name } of client.rls.iterate()) if (name === '2a') break;
  expect(portal.received).toHaveLength(2);
});

it('iterate starts at pageNumber', async () => {
  const names: string[] = [];
  for await (const { name } of client.rls.iterate({ pageNumber: 5 })) names.push(name);
  expect(names).toEqual(['5a', '5b']);
});

it('iterate throws if the portal always answers the first page', async () => {
  const first = { pageIndex: 1, totalPages: 9, hasNextPage: true, hasPreviousPage: false };
  portal.answer(jsonAnswer(200, { ...first, data: [role('a')] }));
  const seen: string[] = [];
  const iterate = async () => {
    for await (const { name } of client.rls.iterate()) seen.push(name);
  };
  await expect(iterate()).rejects.toMatchObject({ code: 'portal_answer_invalid' });
  expect(seen).toEqual(['a']);
});
