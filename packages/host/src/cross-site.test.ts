import { describe, expect, it } from 'vitest';

import { acme } from '../test/host-app.ts';
import { portal, setStage, start } from '../test/stage.ts';

setStage();

describe('a request with', () => {
  const own = 'http://acme.localhost';
  const listed = 'https://www.acme.example';
  it.each([
    ['same-origin', undefined, 200],
    ['same-origin', own, 200],
    ['same-site', own, 403],
    ['cross-site', 'https://evil.example', 403],
    ['none', undefined, 403],
    ['same-site', listed, 200],
    ['cross-site', listed, 200],
    [undefined, undefined, 200],
    [undefined, own, 200],
    [undefined, listed, 200],
    [undefined, 'https://evil.example', 403],
    [undefined, 'https://acme.localhost', 403],
    [undefined, 'http://acme.localhost:81', 403],
    [undefined, 'null', 403],
  ])('Sec-Fetch-Site %s with Origin %s answers %i', async (site, origin, status) => {
    const { send } = await start({
      tenants: { 'acme.localhost': acme(portal, { allowedOrigins: [listed] }) },
    });
    const answer = await send({
      method: 'POST',
      path: '/portal-embed/url',
      headers: {
        'Content-Type': 'application/json',
        ...(site && { 'Sec-Fetch-Site': site }),
        ...(origin && { Origin: origin }),
      },
      body: {},
    });
    expect(answer).toMatchObject(
      status === 200 ? { status } : { status, json: { code: 'cross_site' } },
    );
    expect(portal.received).toHaveLength(status === 200 ? 1 : 0);
  });
});
