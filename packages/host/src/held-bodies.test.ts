import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { describe, expect, it } from 'vitest';

import { portal, setStage, start } from '../test/stage.ts';
import type { PortalUser } from './index.ts';

setStage();

const west: PortalUser = { email: 'west@acme.example' };

/** Each answer in its turn, the last one for ever; and how often it was asked. */
function answerInTurn(answers: (PortalUser | null)[]) {
  const asked: PortalUser['email'][] = [];
  const user = () => {
    const answer = answers[Math.min(asked.length, answers.length - 1)]!;
    asked.push(answer?.email ?? 'nobody');
    return answer;
  };
  return { user, asked };
}

/** Sends the first byte of a body, and `rest` when `user` has been asked. */
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

describe('a body that comes late', () => {
  it('brings no URL to who has signed out meanwhile', async () => {
    const { user, asked } = answerInTurn([west, null]);
    const { port } = await start({ user });
    expect(await holdBody(port, asked, '}')).toEqual({ status: 401, code: 'not_signed_in' });
    expect(portal.received).toEqual([]);
  });

  it('is for the user as they are when it has come', async () => {
    const seen: unknown[] = [];
    const { user, asked } = answerInTurn([{ ...west, hostName: 'acme.localhost' }, west]);
    const authorize = (context: { user: PortalUser }) => seen.push(context.user) > 0;
    const { port } = await start({ user, authorize });
    expect((await holdBody(port, asked, '}')).status).toBe(200);
    expect(seen).toEqual([west]);
  });

  it('is not waited for where nobody is signed in', async () => {
    const { user, asked } = answerInTurn([null]);
    const { send } = await start({ user });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '100' };
    const path = '/portal-embed/url';
    expect(await send({ method: 'POST', path, headers, text: '{' })).toMatchObject({ status: 401 });
    expect(asked).toEqual(['nobody']);
  });
});

it('a body that comes with its head has the user asked once', async () => {
  const { user, asked } = answerInTurn([west]);
  const { mint } = await start({ user });
  expect((await mint()).status).toBe(200);
  expect(asked).toEqual([west.email]);
});
