import type { ServerResponse } from 'node:http';

import type { Express, RequestHandler } from 'express';
import helmet from 'helmet';
import { afterEach, describe, expect, it } from 'vitest';

import { startApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/host-app.ts';
import { portalOrigin, tenants } from '../test/portal-tenants.ts';
import { portalCsp } from './index.ts';

const name = 'Content-Security-Policy';
const policy = "frame-src 'self'";
const extended = `frame-src 'self' ${portalOrigin}`;

let app: RunningApp;
afterEach(() => app[Symbol.asyncDispose]());

async function readHeaders(configure: (host: Express) => void) {
  app = await startApp(configure);
  const { status, text, headers } = await app.send({ path: '/' });
  expect([status, text]).toEqual([200, '<p>page</p>']);
  return headers;
}

const readWith = (respond: RequestHandler) =>
  readHeaders((host) => host.use(portalCsp({ tenants })).get('/', respond));

describe('a policy that is set after portalCsp', () => {
  it.each<[string, (res: ServerResponse) => ServerResponse]>([
    ['setHeader', (res) => res.setHeader(name, policy)],
    ['setHeader with a list', (res) => res.setHeader(name.toLowerCase(), [policy])],
    ['writeHead with an object', (res) => res.writeHead(200, { [name]: policy })],
    ['writeHead with a message', (res) => res.writeHead(200, 'OK', { [name]: [policy] })],
    ['writeHead with an array', (res) => res.writeHead(200, [name, policy, 'X-Other', '1'])],
    [
      'writeHead with pairs',
      (res) => res.writeHead(200, [[name, policy]] as unknown as [string, string]),
    ],
  ])('a policy that %s sets after portalCsp allows the portal', async (_, setPolicy) => {
    const headers = await readWith((__, res) => void setPolicy(res).end('<p>page</p>'));
    expect(headers['content-security-policy']).toBe(extended);
    expect(headers['link']).toBe(`<${portalOrigin}>; rel=preconnect`);
  });

  it('each policy of a list in writeHead allows the portal', async () => {
    const fields = [name, policy, name, "default-src 'none'"];
    const headers = await readWith((_, res) => void res.writeHead(200, fields).end('<p>page</p>'));
    expect(headers['content-security-policy']).toBe(
      `${extended}, default-src 'none';frame-src ${portalOrigin};connect-src ${portalOrigin}`,
    );
  });

  it('a report-only policy after portalCsp allows the portal and is not enforced', async () => {
    const headers = await readWith(
      (_, res) => void res.set(`${name}-Report-Only`, policy).send('<p>page</p>'),
    );
    expect(headers['content-security-policy-report-only']).toBe(extended);
    expect(headers['content-security-policy']).toBeUndefined();
  });

  it("helmet's policy after portalCsp allows the portal", async () => {
    const headers = await readHeaders((host) => {
      host.use(portalCsp({ tenants }), helmet());
      host.get('/', (_, res) => void res.send('<p>page</p>'));
    });
    expect(headers['content-security-policy']).toContain(`;${extended};`);
  });

  it('the policy of a route replaces that of the option and allows the portal', async () => {
    const headers = await readHeaders((host) => {
      host.use(portalCsp({ tenants, contentSecurityPolicy: {} }));
      host.get('/', (_, res) => void res.set(name, policy).send('<p>page</p>'));
    });
    expect(headers['content-security-policy']).toBe(extended);
  });

  it('a route that removes the policy of the application stays without one', async () => {
    const headers = await readHeaders((host) => {
      host.use(helmet(), portalCsp({ tenants }));
      host.get('/', (_, res) => {
        res.removeHeader(name);
        res.send('<p>page</p>');
      });
    });
    expect(headers['content-security-policy']).toBeUndefined();
  });

  it('headers that are flushed before the body allow the portal', async () => {
    const headers = await readWith((_, res) => {
      res.set(name, policy).flushHeaders();
      res.end('<p>page</p>');
    });
    expect(headers['content-security-policy']).toBe(extended);
  });
});
