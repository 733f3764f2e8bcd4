import { describe, expect, it } from 'vitest';

import { portal, setStage, start } from '../test/stage.ts';

setStage();

describe('a request id', () => {
  it('of the proxy is passed on to the portal and answered', async () => {
    const { mint } = await start();
    const answer = await mint({ headers: { 'X-Request-Id': 'edge-42' } });
    expect(answer.headers['x-request-id']).toBe('edge-42');
    expect(portal.received[0]!.headers['x-request-id']).toBe('edge-42');
  });

  it.each([
    ['could forge a log line', 'x" level=error {'],
    ['has the form of a secret', 'k'.repeat(43)],
    ['is longer than the portal keeps', 'a.'.repeat(65)],
    ['has characters that the portal does not keep', 'edge:42'],
  ])('that %s is replaced', async (_, id) => {
    const { mint } = await start();
    const answer = await mint({ headers: { 'X-Request-Id': id } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(portal.received[0]!.headers['x-request-id']).toBe(answer.headers['x-request-id']);
  });

  it.each(['k'.repeat(42), 'a.'.repeat(64)])('that the portal keeps is kept: %s', async (id) => {
    const { mint } = await start({ user: () => null });
    const answer = await mint({ headers: { 'X-Request-Id': id } });
    expect(answer.headers['x-request-id']).toBe(id);
    expect(answer.json['requestId']).toBe(id);
  });
});
