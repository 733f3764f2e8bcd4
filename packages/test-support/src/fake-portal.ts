import type { ServerResponse } from 'node:http';

import { endpointExamples } from '@portal-embed/contract';
import { jsonAnswer, startFakePortal as startPortal } from '@portal-embed/testing';
import type { FakePortal, ReceivedRequest } from '@portal-embed/testing';

export { jsonAnswer };
export type { FakePortal, ReceivedRequest } from '@portal-embed/testing';

export type FakeAnswer = (request: ReceivedRequest, response: ServerResponse) => unknown;

/** Starts a fake portal that sends the answers of a test. */
export async function startFakePortal(answer: FakeAnswer = mintAnswer()): Promise<FakePortal> {
  const portal = await startPortal();
  portal.answer(answer);
  return portal;
}

/** Answers with a problem of the portal's API, also with one that its contract does not have. */
export const problemAnswer = (status: number, code: string, headers: Record<string, string> = {}) =>
  jsonAnswer(
    status,
    { type: code, title: code, status, detail: `about ${code}`, code, requestId: 'portal-1' },
    { 'Content-Type': 'application/problem+json', ...headers },
  );

/** The only page of an empty list. */
export const emptyPage = {
  pageIndex: 1,
  totalPages: 0,
  hasNextPage: false,
  hasPreviousPage: false,
  data: [],
};

/** The only page of a list with this user. */
export const pageOfUser = (email: string) => ({
  ...emptyPage,
  totalPages: 1,
  data: [
    {
      ...endpointExamples.createUser.response,
      id: '6a1f4c1e-0000-4000-8000-000000000005',
      email,
      name: 'West',
    },
  ],
});

let minted = 0;

/** Mints for any user, at the requested address. */
export const mintAnswer =
  (validMs = 300_000): FakeAnswer =>
  (request, response) => {
    minted += 1;
    const { baseUrl } = (request.body ?? {}) as { baseUrl?: string };
    const embedUrl = `${baseUrl ?? 'http://portal.test'}/identity?token=t${minted}`;
    const expiresAt = new Date(Date.now() + validMs).toISOString();
    return jsonAnswer(200, { embedUrl, expiresAt })(request, response);
  };
