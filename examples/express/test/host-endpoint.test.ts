import express from 'express';
import { send } from 'test-support';
import { sealSession, serve, testHostExample } from 'test-support/host-example';
import { expect, it } from 'vitest';

const stage = testHostExample(async () => serve((await import('../src/app.ts')).app));

it('a body that an earlier parser has read still reaches the portal', async () => {
  const { app } = await import('../src/app.ts');
  await using parsing = await serve(express().use(express.json({ inflate: false }), app));
  const answer = await send(`http://127.0.0.1:${parsing.port}/portal-embed/url`, {
    method: 'POST',
    headers: { cookie: await sealSession(), host: 'acme.localhost' },
    json: { hideNavbar: true },
  });
  expect(answer.status).toBe(200);
  expect(stage.portal.received).toMatchObject([{ body: { hideNavbar: true } }]);
});
