import { jsonAnswer, mintAnswer, problemAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakeAnswer, FakePortal } from 'test-support/fake-portal';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startHostApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/running-app.ts';

const id = '6a1f4c1e-0000-4000-8000-000000000001';
const body = { reportId: id };
const email = 'west@acme.example';

interface Account {
  reports: Set<string>;
  roles: Set<string>;
}

let portal: FakePortal;
let accounts: Map<string, Account>;
let errors: unknown[];
let processes: RunningApp[];
/** Delays calls, by path. */
let hold: Record<string, Promise<void>>;
let failNext: Record<string, FakeAnswer>;
let onClosed: () => void;
let onDeleted: () => void;

// One portal that checks its requests as a real one does.
const createAnswer = (url: string, sent: Record<string, string & string[]>): FakeAnswer => {
  const user = accounts.get(sent['userEmail'] ?? sent['usersEmails']?.[0] ?? '');
  switch (url) {
    case '/api/user':
      if (accounts.has(sent['email']!)) return problemAnswer(409, 'user_exists');
      accounts.set(sent['email']!, { reports: new Set(), roles: new Set() });
      return jsonAnswer(201);
    case '/api/datasets/rls/link-users':
      user?.roles.add(sent['role']!);
      return user ? jsonAnswer(204) : problemAnswer(422, 'unknown_references');
    case '/api/user/link-reports':
      for (const each of sent['reports']!) user?.reports.add(each);
      return user ? jsonAnswer(204) : problemAnswer(404, 'user_not_found');
    case '/api/identity/url':
      if (!user) return problemAnswer(404, 'user_not_found');
      if (user.reports.has(sent['reportId']!)) return mintAnswer();
      onClosed();
      return problemAnswer(403, 'report_not_accessible');
    default:
      accounts.delete(decodeURIComponent(url.split('/').at(-1)!));
      onDeleted();
      return jsonAnswer(204);
  }
};

beforeEach(async () => {
  accounts = new Map();
  errors = [];
  hold = {};
  failNext = {};
  onClosed = () => {};
  onDeleted = () => {};
  portal = await startFakePortal(async (request, response) => {
    await hold[request.url];
    const planned = failNext[request.url];
    delete failNext[request.url];
    const answer = planned ?? createAnswer(request.url, (request.body ?? {}) as never);
    return answer(request, response);
  });
  const state = { name: 'West', role: 3, reports: [id], rlsRoles: [{ datasetId: id, role: 'W' }] };
  const onError = ({ error }: { error: unknown }) => errors.push(error);
  const start = () => startHostApp(portal, { provision: () => state, onError });
  processes = await Promise.all([start(), start()]);
});
afterEach(async () => {
  await Promise.all([...processes, portal].map((each) => each[Symbol.asyncDispose]()));
});

const calls = (url: string) => portal.received.filter((each) => each.url === url).length;
const mintForStatus = async (app: RunningApp) => (await app.mint({ body })).status;

describe('the first mint of a user in several processes', () => {
  it('succeeds in each, and leaves the declared state', async () => {
    const statuses = Array.from({ length: 20 }, (_, n) => mintForStatus(processes[n % 2]!));
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([200]));
    expect(accounts.get(email)).toEqual({ reports: new Set([id]), roles: new Set(['W']) });
    expect(calls('/api/user')).toBeLessThanOrEqual(2);
    expect(errors).toEqual([]);
  });

  it('waits for the links that another process is making', async () => {
    let release = () => {};
    hold['/api/user/link-reports'] = new Promise((resolve) => (release = resolve));
    const first = mintForStatus(processes[0]!);
    await expect.poll(() => calls('/api/user/link-reports')).toBe(1);
    // The links arrive after the second mint was refused without them.
    onClosed = release;
    const second = mintForStatus(processes[1]!);
    expect(await Promise.all([first, second])).toEqual([200, 200]);
    expect(calls('/api/identity/url')).toBe(4);
    expect(calls('/api/user')).toBe(1);
  });

  it('is refused after one retry, and later at once, if no process creates links', async () => {
    accounts.set(email, { reports: new Set(), roles: new Set() });
    expect(await mintForStatus(processes[0]!)).toBe(403);
    expect(calls('/api/identity/url')).toBe(2);
    expect(await mintForStatus(processes[0]!)).toBe(403);
    expect(calls('/api/identity/url')).toBe(3);
  });

  it('is refused at once without provision', async () => {
    accounts.set(email, { reports: new Set(), roles: new Set() });
    await using app = await startHostApp(portal);
    expect(await mintForStatus(app)).toBe(403);
    expect(calls('/api/identity/url')).toBe(1);
  });

  it('survives a failed process that deletes the user again', async () => {
    let release = () => {};
    hold['/api/user/link-reports'] = new Promise((resolve) => (release = resolve));
    const first = mintForStatus(processes[0]!);
    await expect.poll(() => calls('/api/user/link-reports')).toBe(1);
    // The second process believes that the user is missing, and finds the first one's.
    failNext['/api/identity/url'] = problemAnswer(404, 'user_not_found');
    hold['/api/datasets/rls/link-users'] = new Promise((resolve) => (onDeleted = resolve));
    const second = mintForStatus(processes[1]!);
    await expect.poll(() => calls('/api/datasets/rls/link-users')).toBe(2);
    failNext['/api/user/link-reports'] = problemAnswer(403, 'missing_permission');
    release();
    expect(await Promise.all([first, second])).toEqual([502, 200]);
    expect(accounts.get(email)).toEqual({ reports: new Set([id]), roles: new Set(['W']) });
  });
});
