import { errorTable } from '@portal-embed/contract';
import type { EmbedFailureCause } from '@portal-embed/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { senderTo } from '../support/http.ts';
import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.close());
const send = senderTo(() => portal);

/** Causes that only the component finds. */
const ownCauses = [
  'blocked_by_host',
  'blocked_by_portal',
  'endpoint_invalid',
  'endpoint_unreachable',
  'insecure_url',
  'no_response',
  'not_answering',
  'same_origin',
  'session_lost',
  'timed_out',
  'unreachable',
] as const satisfies EmbedFailureCause[];

// Fails to compile if a cause is neither in the table nor in the list.
const causes = (cause: EmbedFailureCause): keyof typeof errorTable | (typeof ownCauses)[number] =>
  cause;
const codes = [...Object.keys(errorTable), ...ownCauses.map(causes)];

describe('/docs/errors', () => {
  it.each(codes)('has a page about %s that says what to do', async (code) => {
    const page = await send('GET', `/docs/errors/${code}`);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.body).toContain(`<h1><code>${code}</code></h1>`);
    expect(page.body).toContain('<strong>What happened.</strong>');
    expect(page.body).toContain('<strong>What to do.</strong>');
  });

  it('lists each page once, and loads nothing else', async () => {
    const index = await send('GET', '/docs/errors');
    const links = [...index.body.matchAll(/href="\/docs\/errors\/(\w+)"/g)].map(
      ([, code]) => code!,
    );
    expect(new Set(links)).toEqual(new Set(codes));
    expect(links).toHaveLength(codes.length);
    expect(index.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha/);
  });

  it.each(['/docs/errors/none', '/docs/errors/', '/docs/errors/__proto__'])(
    'has no page at %s',
    async (path) => {
      expect((await send('GET', path)).status).toBe(404);
    },
  );
});

describe('the detail of an error', () => {
  it('ends for a browser with the address of its page', async () => {
    const answer = await send('GET', '/api/user', {
      headers: { 'x-api-key': 'none', 'sec-fetch-site': 'same-origin' },
    });
    const { detail, type, code } = answer.json() as Record<string, string>;
    const address = /https?:\S+$/.exec(detail!)![0];
    expect(new URL(address).pathname).toBe('/docs/errors/invalid_api_key');
    expect([type, code]).toEqual(['urn:portal-embed:problem:invalid_api_key', 'invalid_api_key']);
    expect((await send('GET', new URL(address).pathname)).status).toBe(200);
  });

  it('has no address for a program', async () => {
    const answer = await send('GET', '/api/user', { headers: { 'x-api-key': 'none' } });
    expect((answer.json() as { detail: string }).detail).not.toContain('/docs/errors');
  });
});
