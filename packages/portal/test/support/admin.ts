import type { UserRole } from '@portal-embed/contract';
import { send, type Answer } from 'test-support';

import { inviteOperator } from '../../src/sign-in/operators.ts';
import { inviteUser } from '../../src/sign-in/service.ts';
import { createUser } from '../../src/users/service.ts';
import type { TestOrganization } from './organization.ts';
import type { TestPortal } from './portal.ts';

export const testPassword = 'a long sentence to test with';

/** A browser at the administration pages: it keeps the cookie of its session. */
export interface AdminBrowser {
  send: (
    method: string,
    path: string,
    options?: { json?: unknown; body?: string | Buffer; headers?: Record<string, string> },
  ) => Promise<Answer>;
  /** `name=value`, or empty without a session. */
  cookie: () => string;
}

export function openAdminBrowser(
  { adminUrl }: Pick<TestPortal, 'adminUrl'>,
  startCookie = '',
): AdminBrowser {
  const cookies = new Map<string, string>();
  const keep = (pair: string) => cookies.set(pair.split('=', 1)[0]!, pair);
  if (startCookie !== '') keep(startCookie);
  return {
    cookie: () => [...cookies.values()].join('; '),
    send: async (method, path, { json, body, headers } = {}) => {
      const answer = await send(`${adminUrl}/admin/api${path}`, {
        method,
        ...(json === undefined ? {} : { json }),
        ...(body === undefined ? {} : { body }),
        headers: {
          ...(cookies.size === 0 ? {} : { cookie: [...cookies.values()].join('; ') }),
          ...(method === 'GET' ? {} : { origin: adminUrl }),
          ...headers,
        },
      });
      for (const set of answer.headers['set-cookie'] ?? []) {
        const [pair] = set.split(';', 1);
        if (set.includes('Max-Age=0')) cookies.delete(pair!.split('=', 1)[0]!);
        else keep(pair!);
      }
      return answer;
    },
  };
}

/** Invites a user with this role, accepts the invitation and returns the signed-in browser. */
export async function signInAs(
  portal: Pick<TestPortal, 'adminUrl' | 'db'>,
  organization: TestOrganization,
  role: UserRole | 'operator',
  email: string,
): Promise<AdminBrowser> {
  if (role !== 'operator') await createUser(organization.ctx, { email, name: email, role });
  const { token } =
    role === 'operator'
      ? await inviteOperator(portal.db, { email })
      : await inviteUser(organization.ctx, { email });
  const browser = openAdminBrowser(portal);
  const json = { token, password: testPassword };
  const { status, body } = await browser.send('POST', '/invitation/accept', { json });
  if (status !== 200) throw new Error(`The invitation was not accepted: ${body}`);
  return browser;
}
