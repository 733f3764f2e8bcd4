import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { send } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { readTokenCookie, setTokenCookie } from './cookie.ts';

it('at https, only the session cookie with the prefix __Host- is set and read', async () => {
  const adminUrl = 'https://admin.example';
  const app = express();
  app.get('/', (req, res) => {
    setTokenCookie('session', res, adminUrl, 'new');
    res.json({ read: readTokenCookie('session', req, adminUrl) });
  });
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const answer = await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
    headers: { cookie: 'portal-admin=planted; __Host-portal-admin=own' },
  });
  // Browsers accept this prefix only over https, and only from the host itself.
  expect(answer.headers['set-cookie']).toEqual([
    '__Host-portal-admin=new; Path=/; HttpOnly; Secure; SameSite=Lax',
  ]);
  expect(answer.json()).toEqual({ read: 'own' });
});
