import { jsonAnswer, problemAnswer, startFakePortal } from 'testing/fake-portal';
import type { FakeAnswer, FakePortal } from 'testing/fake-portal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { portalEmbed } from '../src/index.ts';
import type { Tenant } from '../src/index.ts';
import { startApp } from './start-app.ts';
import type { Answer, RunningApp } from './start-app.ts';

const tenantCount = 200;
const usersPerTenant = 5;
const sickShare = 5;
const portalDelayMs = 30;

const nameOf = (tenant: number) => `t${tenant}`;
const isSick = (tenant: number) => tenant % sickShare === 0;
const portalOf = (tenant: number) => `https://${nameOf(tenant)}.portal.example`;

/** A URL that says whom it was minted for. */
const urlFor = (tenant: number, email: string) =>
  `${portalOf(tenant)}/identity?token=${nameOf(tenant)}-${encodeURIComponent(email)}`;
const mintAnswer = (tenant: number, email: string) =>
  jsonAnswer(200, {
    embedUrl: urlFor(tenant, email),
    expiresAt: new Date(Date.now() + 300_000).toISOString(),
  });

let portal: FakePortal;
let app: RunningApp;

// What the portal does to the tenants that it fails.
const diseases: ((tenant: number, email: string) => FakeAnswer)[] = [
  () => () => {},
  () => (_, response) => response.destroy(),
  (tenant) => jsonAnswer(307, undefined, { Location: `${portal.url}/?as=${nameOf(tenant + 1)}` }),
  () => problemAnswer(429, 'rate_limited', { 'Retry-After': '1' }),
  () => (_, response) => response.end('<html>'),
  (tenant, email) => mintAnswer(tenant + 1, email),
  () => (_, response) => response.writeHead(200).write('{"embedUrl":'),
  () => problemAnswer(500, 'internal_error'),
];

const user = (req: { get: (name: string) => string | undefined }) => ({
  email: req.get('X-User')!,
});

beforeAll(async () => {
  portal = await startFakePortal((request, response) => {
    const tenant = Number(String(request.headers['x-api-key']).slice('pk_'.length));
    const { userEmail } = request.body as { userEmail: string };
    const healthy = mintAnswer(tenant, userEmail);
    const answer = isSick(tenant)
      ? diseases[(tenant / sickShare) % diseases.length]!(tenant, userEmail)
      : healthy;
    setTimeout(() => answer(request, response), portalDelayMs);
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
  app = await startApp((host) => {
    const limits = { mintsPerUserPerMinute: 1_000 };
    host.use('/portal-embed', portalEmbed({ tenants, user, limits, onError: () => {} }));
  });
  // Connections and compiled code, so that a cold start is not what is measured.
  await visitInTurn(
    tenantsWhere((tenant) => !isSick(tenant), 1),
    20,
  );
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await portal[Symbol.asyncDispose]();
});

interface Visit {
  tenant: number;
  email: string;
  answer: Answer;
  ms: number;
}

async function visit(tenant: number): Promise<Visit> {
  // The same e-mails exist in every tenant.
  const email = `user${Math.floor(Math.random() * usersPerTenant)}@shared.example`;
  const startedAt = performance.now();
  const host = `${nameOf(tenant)}.localhost`;
  const answer = await app.mint({ host, headers: { 'X-User': email } });
  return { tenant, email, answer, ms: performance.now() - startedAt };
}

/** Visits at a steady pace, whether or not the earlier ones have been answered. */
async function visitSteadily(tenants: readonly number[], perSecond: number): Promise<Visit[]> {
  const visits: Promise<Visit>[] = [];
  const startedAt = performance.now();
  for (const [index, tenant] of tenants.entries()) {
    const wait = startedAt + (index * 1_000) / perSecond - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    visits.push(visit(tenant));
  }
  return Promise.all(visits);
}

/** Visits so many at a time, which a slow machine takes longer for and nothing else. */
async function visitInTurn(tenants: readonly number[], atOnce: number): Promise<Visit[]> {
  const queue = tenants.values();
  const visits: Visit[] = [];
  const work = async () => {
    for (const tenant of queue) visits.push(await visit(tenant));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return visits;
}

const shuffle = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
const percentile = (visits: readonly Visit[], share: number) => {
  const sorted = visits.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)]!;
};
const tenantsWhere = (wanted: (tenant: number) => boolean, times: number) =>
  Array.from({ length: tenantCount * times }, (_, index) => index % tenantCount).filter(wanted);

describe('two hundred tenants, some of whose portals are sick', () => {
  const healthy = tenantsWhere((tenant) => !isSick(tenant), 1);
  const sick = tenantsWhere(isSick, 1);

  it('never answer for another tenant or user', async () => {
    const everybody = shuffle(tenantsWhere(() => true, usersPerTenant));
    const visits = await visitInTurn(everybody, 40);
    const unserved = (some: readonly Visit[]) =>
      some.filter(({ tenant, answer }) => !isSick(tenant) && answer.status !== 200);
    // A starved machine keeps some of the healthy ones beyond the deadline: they come again.
    for (let again = unserved(visits); again.length > 0; again = unserved(again)) {
      again = await visitInTurn(
        again.map(({ tenant }) => tenant),
        10,
      );
      visits.push(...again);
    }
    const granted = visits.filter(({ answer }) => answer.status === 200);
    for (const { tenant, email, answer } of granted) {
      expect(isSick(tenant)).toBe(false);
      expect(answer.json['embedUrl']).toBe(urlFor(tenant, email));
    }
    for (const { answer } of visits.filter((each) => !granted.includes(each)))
      expect(answer.text).not.toContain('portal.example');
    expect(granted).toHaveLength(everybody.filter((tenant) => !isSick(tenant)).length);
  });

  // In turns, so that whatever else the machine does falls on both; and again if it did not.
  it('are as fast as without the sick ones', { retry: 3 }, async () => {
    const before: Visit[] = [];
    const after: Visit[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      const [well, ill] = [shuffle(healthy).slice(0, 120), shuffle(sick).slice(0, 30)];
      before.push(...(await visitSteadily(well, 40)));
      const together = await visitSteadily(shuffle([...well, ...ill]), 50);
      after.push(...together.filter(({ tenant }) => !isSick(tenant)));
    }
    for (const share of [0.5, 0.9]) {
      const [without, withSick] = [percentile(before, share), percentile(after, share)];
      console.log(`p${share * 100}: ${without.toFixed(1)} → ${withSick.toFixed(1)} ms`);
      expect(withSick).toBeLessThan(1.5 * without);
    }
  });
});
