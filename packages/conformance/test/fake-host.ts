import { errorTable, problemTypePrefix } from '@portal-embed/contract';
import type { HostErrorCode } from '@portal-embed/contract';
import { jsonAnswer, startFakePortal } from 'test-support/fake-portal';
import type { FakeAnswer } from 'test-support/fake-portal';

/** A refusal as a host endpoint sends it. */
export const refusal = (code: HostErrorCode): FakeAnswer => {
  const { status } = errorTable[code];
  const requestId = 'request-1';
  const type = problemTypePrefix + code;
  return jsonAnswer(
    status,
    { type, title: code, status, detail: `about ${code}`, code, requestId },
    {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Request-Id': requestId,
    },
  );
};

const minted: FakeAnswer = (request, response) =>
  jsonAnswer(
    200,
    {
      embedUrl: `http://${request.headers.host}/opened?token=${crypto.randomUUID()}`,
      expiresAt: new Date(Date.now() + 300_000).toISOString(),
      expiresIn: 300,
    },
    { 'Cache-Control': 'no-store', 'X-Request-Id': 'request-1' },
  )(request, response);

/**
 * Starts a host endpoint at `/url` that routes only POST, and knows the cookie `session=west`. `choose`
 * may answer a request in place of the endpoint.
 */
export const startFakeHost = (
  choose: (request: Parameters<FakeAnswer>[0]) => FakeAnswer | undefined = () => undefined,
) =>
  startFakePortal((request, response) => {
    const answer = () => {
      const { method, headers } = request;
      if (method !== 'POST') return jsonAnswer(404, { error: 'Not Found' });
      return headers.cookie === 'session=west' ? minted : refusal('not_signed_in');
    };
    return (choose(request) ?? answer())(request, response);
  });
