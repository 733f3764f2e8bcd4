import { once } from 'node:events';

import { expect, it, vi } from 'vitest';

it('the fake portal for other languages prints its tenant, mints, and ends with its input', async () => {
  const print = vi.spyOn(console, 'log').mockReturnValue();
  const example: string = './fake-portal.mjs';
  await import(example);
  const { apiUrl, apiKey, portalUrl } = JSON.parse(String(print.mock.calls[0]![0]));
  const mint = () =>
    fetch(`${apiUrl}/api/identity/url`, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ userEmail: 'ada@acme.example', baseUrl: portalUrl }),
    });
  expect(await (await mint()).json()).toMatchObject({
    embedUrl: expect.stringContaining(portalUrl) as string,
  });
  const ended = once(process.stdin, 'end');
  process.stdin.emit('end');
  await ended;
  await vi.waitFor(() => expect(mint()).rejects.toThrow('fetch failed'));
});
