import { randomUUID } from 'node:crypto';

import { expect } from 'vitest';

import { pickUserChange } from '#admin/requests';

import { signInAs } from './admin.ts';
import { startTestPortal } from './portal.ts';

export type PeopleStage = Awaited<ReturnType<typeof openPeopleStage>>;

export const adminEmail = 'ada@acme.example';

/** Starts a portal, and signs in to the administration as an administrator of Acme and one of Globex. */
export async function openPeopleStage() {
  const portal = await startTestPortal();
  const admin = await signInAs(portal, portal.acme, 1, adminEmail);
  const other = await signInAs(portal, portal.globex, 1, 'gus@globex.example');

  const at = (path: string, organization = portal.acme) =>
    `/organizations/${organization.id}${path}`;
  const get = async (path: string) => (await admin.send('GET', at(path))).json();
  return {
    portal,
    admin,
    other,
    at,
    get,
    /** The id of a user with this e-mail. */
    idOf: async (email: string): Promise<string> => {
      const { items } = await get(`/users?search=${encodeURIComponent(email)}`);
      // The random name of another user may end with the same letters.
      const found = items.filter((item: { email: string }) => item.email === email);
      expect(found).toHaveLength(1);
      return found[0].id;
    },
    createPerson: async (fields: { role?: number; reports?: string[]; roles?: string[] } = {}) => {
      const email = `${randomUUID()}@acme.example`;
      const json = { email, name: 'New', role: 3, reports: [], ...fields };
      const answer = await admin.send('POST', at('/users'), { json });
      expect(answer.status).toBe(200);
      return { email, id: answer.json().id as string };
    },
    update: async (id: string, change: object, browser = admin) => {
      const user = await get(`/users/${id}`);
      const json = { ...pickUserChange(user), ...change };
      return browser.send('PUT', at(`/users/${id}`), { json });
    },
  };
}
