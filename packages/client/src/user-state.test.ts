import { endpointExamples, type RlsRole, type User } from '@portal-embed/contract';
import { describe, expect, it } from 'vitest';

import { planSync } from './user-state.ts';
import type { UserState } from './user-state.ts';

const user = (email: string, reports: string[] = []) =>
  ({ email, name: email, role: 3, reports }) as unknown as User;
const role = (name: string, userEmails: string[]) =>
  ({ name, datasetId: 'd1', userEmails }) as unknown as RlsRole;
const state = (email: string, rest: Partial<UserState> = {}): UserState => ({
  email,
  name: email,
  role: 3,
  ...rest,
});

describe('planSync', () => {
  it('a plan is empty if all is as declared, in any letter case', () => {
    const wanted = [
      state('West@x.test', {
        name: 'west@x.test',
        reports: ['AB'],
        rlsRoles: [{ datasetId: 'D1', role: 'W' }],
      }),
    ];
    const found = { users: [user('west@x.test', ['ab'])], roles: [role('W', ['WEST@x.test'])] };
    expect(planSync(wanted, found)).toEqual({ steps: [], differences: [] });
  });

  it('a plan creates missing users and does not change other users', () => {
    const found = { users: [user('other@x.test', ['r1'])], roles: [role('W', ['other@x.test'])] };
    expect(planSync([state('new@x.test', { rlsRoles: [] })], found).steps).toEqual([
      { kind: 'create-user', email: 'new@x.test', name: 'new@x.test', role: 3 },
    ]);
  });

  it('a plan creates a user with every field of the request', () => {
    const { body } = endpointExamples.createUser;
    expect(planSync([body], { users: [], roles: [] }).steps).toEqual([
      { kind: 'create-user', ...body },
    ]);
  });

  it('a plan links and unlinks reports of users who declare reports', () => {
    const found = { users: [user('a@x.test', ['r1', 'r2']), user('b@x.test', ['r1'])], roles: [] };
    const wanted = [state('a@x.test', { reports: ['r2', 'r3'] }), state('b@x.test')];
    expect(planSync(wanted, found).steps).toEqual([
      { kind: 'unlink-reports', email: 'a@x.test', reports: ['r1'] },
      { kind: 'link-reports', email: 'a@x.test', reports: ['r3'] },
    ]);
  });

  it('a plan does not change the roles of a user who declares none', () => {
    const found = {
      users: [user('a@x.test'), user('b@x.test')],
      roles: [role('W', ['a@x.test', 'b@x.test'])],
    };
    const wanted = [state('a@x.test'), state('b@x.test', { rlsRoles: [] })];
    expect(planSync(wanted, found).steps).toEqual([
      { kind: 'unlink-role', datasetId: 'd1', role: 'W', emails: ['b@x.test'] },
    ]);
  });

  it('a plan treats all normalization forms of an e-mail as one user', () => {
    const found = {
      users: [user('jürgen@x.test')],
      roles: [role('W', ['jürgen@x.test'])],
    };
    const decomposed = 'JÜRGEN@x.test'.normalize('NFD');
    const wanted = state(decomposed, {
      name: 'jürgen@x.test',
      rlsRoles: [{ datasetId: 'd1', role: 'W' }],
    });
    expect(planSync([wanted, { ...wanted, email: 'Jürgen@x.test' }], found)).toEqual({
      steps: [],
      differences: [],
    });
  });

  it('a plan treats two spellings of an e-mail as one user', () => {
    const rest = { name: 'A', reports: ['r1'], rlsRoles: [{ datasetId: 'd1', role: 'W' }] };
    const wanted = [state('A@x.test', rest), state('a@x.test', rest)];
    expect(planSync(wanted, { users: [], roles: [] }).steps).toEqual([
      { kind: 'create-user', email: 'A@x.test', name: 'A', role: 3 },
      { kind: 'link-role', datasetId: 'd1', role: 'W', emails: ['A@x.test'] },
      { kind: 'link-reports', email: 'A@x.test', reports: ['r1'] },
    ]);
    for (const change of [{ role: 1 }, { name: 'B' }, { reports: [] }, { rlsRoles: [] }] as const) {
      const differently = [...wanted, state('a@X.test', { ...rest, ...change })];
      expect(() => planSync(differently, { users: [], roles: [] })).toThrow(
        'A@x.test and a@X.test are the same user with different states',
      );
    }
  });

  it('a plan has one call per role for all users', () => {
    const emails = ['a@x.test', 'b@x.test', 'c@x.test'];
    const found = { users: emails.map((email) => user(email)), roles: [role('Old', emails)] };
    const wanted = emails.map((email) =>
      state(email, { rlsRoles: [{ datasetId: 'd1', role: 'New' }] }),
    );
    expect(planSync(wanted, found).steps).toEqual([
      { kind: 'unlink-role', datasetId: 'd1', role: 'Old', emails },
      { kind: 'link-role', datasetId: 'd1', role: 'New', emails },
    ]);
  });

  it('a plan splits calls with more than 1,000 users', () => {
    const wanted = Array.from({ length: 2_500 }, (_, n) =>
      state(`u${n}@x.test`, { rlsRoles: [{ datasetId: 'd1', role: 'W' }] }),
    );
    const users = wanted.map(({ email }) => user(email));
    const { steps } = planSync(wanted, { users, roles: [role('W', [])] });
    expect(steps.map((step) => 'emails' in step && step.emails.length)).toEqual([
      1_000, 1_000, 500,
    ]);
  });

  it('a plan lists differences that the API cannot change', () => {
    const found = { users: [user('a@x.test')], roles: [] };
    expect(planSync([state('a@x.test', { name: 'Anna', role: 1 })], found).differences).toEqual([
      { email: 'a@x.test', field: 'name', wanted: 'Anna', found: 'a@x.test' },
      { email: 'a@x.test', field: 'role', wanted: 1, found: 3 },
    ]);
  });
});
