import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { portal, setStage, start } from '../test/stage.ts';
import type { PortalUser } from './index.ts';

setStage();

const west: PortalUser = { email: 'west@acme.example' };

/** Returns each answer in turn, then the last one. Records the calls. */
function createUser(answers: (PortalUser | null)[]) {
  const asked: PortalUser['email'][] = [];
  const user = () => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(answer?.email ?? 'none');
    return answer;
  };
  return { user, asked };
}

/** Sends the first byte of a body, and the rest once `user` was called. */
async function holdBody(port: number, asked: readonly string[], rest: string) {
  const headers = {
    Host: 'acme.localhost',
    'Content-Type': 'application/json',
    'Content-Length': 1 + rest.length,
  };
  const target = { host: '127.0.0.1', port, method: 'POST', path: '/portal-embed/url', headers };
  const outgoing = request(target);
  outgoing.write('{');
  await expect.poll(() => asked.length).toBe(1);
  outgoing.end(rest);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of incoming) text += String(chunk);
  return { status: incoming.statusCode, code: (JSON.parse(text) as { code?: string }).code };
}

describe('a slow body', () => {
  it('gets no URL if the user signed out meanwhile', async () => {
    const { user, asked } = createUser([west, null]);
    const { port } = await start({ user });
    expect(await holdBody(port, asked, '}')).toEqual({ status: 401, code: 'not_signed_in' });
    expect(portal.received).toEqual([]);
  });

  it('is answered for the user of the second check', async () => {
    const seen: unknown[] = [];
    const { user, asked } = createUser([{ ...west, hostName: 'acme.localhost' }, west]);
    const authorize = (context: { user: PortalUser }) => seen.push(context.user) > 0;
    const { port } = await start({ user, authorize });
    expect((await holdBody(port, asked, '}')).status).toBe(200);
    expect(seen).toEqual([west]);
  });

  it('is not waited for without a user', async () => {
    const { user, asked } = createUser([null]);
    const { send } = await start({ user });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' };
    const path = '/portal-embed/url';
    expect(await send({ method: 'POST', path, headers, text: '{' })).toMatchObject({ status: 401 });
    expect(asked).toEqual(['none']);
  });
});

it('a body in one piece with its head causes one call of user', async () => {
  const { user, asked } = createUser([west]);
  const { mint } = await start({ user });
  expect((await mint()).status).toBe(200);
  expect(asked).toEqual([west.email]);
});
