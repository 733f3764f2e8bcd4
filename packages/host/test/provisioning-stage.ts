import { jsonAnswer, mintAnswer, problemAnswer } from 'test-support/fake-portal';
import type { FakeAnswer } from 'test-support/fake-portal';
import { beforeEach } from 'vitest';

import type { Options } from './entry.ts';
import { portal, setStage, start as startApp } from './stage.ts';

export const id = '6a1f4c1e-0000-4000-8000-000000000001';
export const unknownUser = problemAnswer(404, 'user_not_found');

/** The users of the portal. */
export let users: Set<string>;
/** The users who may open the report. */
export let linked: Set<string>;
/** The portal's answer by default. */
export let healthy: FakeAnswer;

/** Like `setStage`, with a portal that has no users at first. */
export function setProvisioningStage(answerUnknownUser: FakeAnswer = unknownUser): void {
  setStage();
  beforeEach(() => {
    users = new Set();
    linked = new Set();
    const mint = mintAnswer();
    healthy = (request, response) => {
      const body = (request.body ?? {}) as Record<'userEmail' | 'email' | 'reportId', string>;
      const { userEmail, email, reportId } = body;
      if (request.url === '/api/identity/url') {
        const isOpen = reportId === undefined || linked.has(userEmail);
        const answer = isOpen ? mint : problemAnswer(403, 'report_not_accessible');
        (users.has(userEmail) ? answer : answerUnknownUser)(request, response);
      } else
        setImmediate(() => {
          const isThere = request.url === '/api/user' && users.has(email);
          if (request.url === '/api/user') users.add(email);
          if (request.url === '/api/user/link-reports') linked.add(userEmail);
          (isThere ? problemAnswer(409, 'user_exists') : jsonAnswer(204))(request, response);
        });
    };
    portal.answer(healthy);
  });
}

/** Starts a host app that provisions unknown users. */
export const start = (options: Partial<Options> = {}) =>
  startApp({
    provision: ({ user, tenant }) => ({
      name: `${user.email} of ${tenant.hostName}`,
      role: 3,
      reports: [id],
      rlsRoles: [{ datasetId: id, role: 'West' }],
    }),
    ...options,
  });
export const calls = () => portal.received.map(({ url }) => url);
export const provisioned = ['/api/user', '/api/datasets/rls/link-users', '/api/user/link-reports'];
