import { jsonAnswer, problemAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakeAnswer, FakePortal } from 'test-support/fake-portal';
import { chooseRepetitions } from 'test-support/repetitions';
import { createRandom, readSeed } from 'test-support/seed';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Tenant } from '../src/index.ts';
import { readHeader, startEntry } from './entry.ts';
import type { Context } from './entry.ts';
import type { RunningApp } from './running-app.ts';

const userCount = 3;
const failingShare = 5;

const nameOf = (tenant: number) => `t${tenant}`;
const isFailing = (tenant: number) => tenant % failingShare === 0;
const portalOf = (tenant: number) => `https://${nameOf(tenant)}.portal.example`;

/** A URL that names its tenant and user. */
const urlFor = (tenant: number, email: string) =>
  `${portalOf(tenant)}/identity?token=${nameOf(tenant)}-${encodeURIComponent(email)}`;
const mintAnswer = (tenant: number, email: string) =>
  jsonAnswer(200, {
    embedUrl: urlFor(tenant, email),
    expiresAt: new Date(Date.now() + 300_000).toISOString(),
  });

let portal: FakePortal;
let app: RunningApp;
/** Ends the requests that silent portals never answer. */
let closeSilent = () => {};
const silentClosed = new Promise<void>((resolve) => (closeSilent = resolve));

const neverAnswer: FakeAnswer = async (_, response) => {
  await silentClosed;
  response.destroy();
};

// Each way in which a portal can fail.
const failures: ((tenant: number, email: string) => FakeAnswer)[] = [
  () => neverAnswer,
  () => (_, response) => response.destroy(),
  (tenant) => jsonAnswer(307, undefined, { Location: `${portal.url}/?as=${nameOf(tenant + 1)}` }),
  () => problemAnswer(429, 'rate_limited', { 'Retry-After': '1' }),
  () => (_, response) => response.end('<html>'),
  (tenant, email) => mintAnswer(tenant + 1, email),
  () => (request, response) => {
    response.writeHead(200).write('{"embedUrl":');
    return neverAnswer(request, response);
  },
  () => problemAnswer(500, 'internal_error'),
];
// In 80 tenants, each failure occurs twice.
const tenantCount = chooseRepetitions(80, 200);
const failureOf = (tenant: number) => (tenant / failingShare) % failures.length;
const isSilent = (tenant: number) => isFailing(tenant) && [0, 6].includes(failureOf(tenant));

const user = (context: Context) => ({ email: readHeader(context, 'x-user')! });

beforeAll(async () => {
  portal = await startFakePortal((request, response) => {
    const tenant = Number(String(request.headers['x-api-key']).slice('pk_'.length));
    const { userEmail } = request.body as { userEmail: string };
    const answer = isFailing(tenant)
      ? failures[failureOf(tenant)]!(tenant, userEmail)
      : mintAnswer(tenant, userEmail);
    return answer(request, response);
  });
  const tenants = Object.fromEntries(
    Array.from({ length: tenantCount }, (_, tenant): [string, Tenant] => [
      `${nameOf(tenant)}.localhost`,
      {
        apiUrl: portal.url,
        apiKey: `pk_${tenant}`,
        organizationId: `11111111-0000-4000-8000-${String(tenant).padStart(12, '0')}`,
        portalUrl: portalOf(tenant),
      },
    ]),
  );
  // Far more than a slow machine needs, so no request fails at this deadline.
  const limits = { mintsPerUserPerMinute: 1_000, timeoutMs: 120_000 };
  app = await startEntry({ tenants, user, limits, onError: () => {} });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

const random = createRandom(readSeed());

const shuffle = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);

async function mintAs(tenant: number) {
  // The same e-mails exist in every tenant.
  const email = `user${Math.floor(random() * userCount)}@shared.example`;
  const host = `${nameOf(tenant)}.localhost`;
  const answer = await app.mint({ host, headers: { 'X-User': email } });
  return { tenant, email, answer };
}
type Mint = Awaited<ReturnType<typeof mintAs>>;

it('tenants get their own URLs while the portals of some fail', async () => {
  const tenants = shuffle(Array.from({ length: tenantCount }, (_, tenant) => tenant));
  const mints: Mint[] = [];
  const held: Promise<Mint>[] = [];
  let ended = 0;
  const queue = tenants.values();
  const work = async () => {
    for (const tenant of queue)
      if (isSilent(tenant)) held.push(mintAs(tenant).finally(() => (ended += 1)));
      else mints.push(await mintAs(tenant));
  };
  await Promise.all(Array.from({ length: 40 }, work));

  const served = mints.filter(({ tenant }) => !isFailing(tenant));
  expect(served).toHaveLength(tenants.filter((tenant) => !isFailing(tenant)).length);
  for (const { tenant, email, answer } of served)
    expect([answer.status, answer.json['embedUrl']]).toEqual([200, urlFor(tenant, email)]);
  // The requests to silent portals are still open.
  expect([held.length, ended]).toEqual([tenants.filter(isSilent).length, 0]);

  closeSilent();
  const failed = mints.filter(({ tenant }) => isFailing(tenant)).concat(await Promise.all(held));
  for (const { answer } of failed) {
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain('portal.example');
  }
});
