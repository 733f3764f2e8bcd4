import { extendPolicy } from '@portal-embed/host/adapter';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import helmet, { contentSecurityPolicy } from 'helmet';
import { afterEach, describe, expect, it } from 'vitest';

import { startApp } from '../test/host-app.ts';
import type { RunningApp } from '../test/host-app.ts';
import { portalOrigin, tenants } from '../test/portal-tenants.ts';
import { portalCsp, portalEmbed } from './index.ts';

const hang = () => new Promise<never>(() => {});

let app: RunningApp;
afterEach(() => app[Symbol.asyncDispose]());

const policyWith = async (configure: (host: Express) => void, host?: string) => {
  app = await startApp((server) => {
    configure(server);
    server.get('/', (_, res) => void res.send('<p>page</p>'));
  });
  const { status, headers } = await app.send({ path: '/', host });
  const read = (name: string) =>
    new Map(
      String(headers[name] ?? '')
        .split(';')
        .map((each) => [each.split(' ')[0]!, each.split(' ').slice(1).join(' ')]),
    );
  return { status, enforced: read('content-security-policy'), headers };
};

describe('portalCsp', () => {
  it('serves the page without its frame when the look-up of the tenant fails', async () => {
    const fails = () => Promise.reject(new Error('the database is away'));
    const { status, enforced } = await policyWith((host) =>
      host.use(helmet(), portalCsp({ tenants: fails })),
    );
    expect(status).toBe(200);
    expect(enforced.get('default-src')).toBe("'self'");
    expect(enforced.has('frame-src')).toBe(false);
  });

  it('serves the page without its frame when the look-up of the tenant hangs', async () => {
    const { status, enforced } = await policyWith((host) =>
      host.use(helmet(), portalCsp({ tenants: hang })),
    );
    expect(status).toBe(200);
    expect(enforced.has('frame-src')).toBe(false);
  });

  it('leaves a response alone that a time limit sends during the look-up of the tenant', async () => {
    let resolve = () => {};
    let onReturned = () => {};
    const answered = new Promise<void>((done) => (resolve = done));
    const returned = new Promise<void>((done) => (onReturned = done));
    const errors: unknown[] = [];
    const slow = async () => {
      await answered;
      setImmediate(() => setImmediate(onReturned));
      return tenants['acme.localhost'];
    };
    app = await startApp((host) => {
      host.use((_, res, next) => {
        next();
        res.status(503).send('too slow');
        resolve();
      });
      host.use(portalCsp({ tenants: slow }));
      host.get('/', (_, res) => void res.send('<p>page</p>'));
      host.use((error: unknown, _req: Request, _res: Response, next: NextFunction) => {
        errors.push(error);
        next(error);
      });
    });
    expect(await app.send({ path: '/' })).toMatchObject({ status: 503, text: 'too slow' });
    await returned;
    expect(errors).toEqual([]);
  });

  it('leaves failures of the look-up to portalEmbed', async () => {
    const fails = () => {
      throw new Error('the database is away');
    };
    app = await startApp((host) => {
      host.use(portalCsp({ tenants: fails }));
      host.use('/portal-embed', portalEmbed({ tenants: fails, user: () => null, onError() {} }));
    });
    const { status, headers, json } = await app.mint();
    expect(status).toBe(503);
    expect(headers['content-type']).toContain('application/problem+json');
    expect(json).toMatchObject({ code: 'portal_unavailable' });
  });

  it('counts its time toward the deadline of portalEmbed', async () => {
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return tenants['acme.localhost'];
    };
    const mintBehind = async (policy: RequestHandler) => {
      app = await startApp((host) => {
        const limits = { timeoutMs: 1_000 };
        host.use(policy);
        host.use('/portal-embed', portalEmbed({ tenants: slow, user: () => null, limits }));
      });
      return (await app.mint()).json['code'];
    };
    expect(await mintBehind(portalCsp({ tenants }))).toBe('not_signed_in');
    await app[Symbol.asyncDispose]();
    expect(await mintBehind(portalCsp({ tenants: hang }))).toBe('portal_timeout');
  });

  it('sets no policy for an application that has none', async () => {
    const { headers } = await policyWith((host) => host.use(portalCsp({ tenants })));
    expect(headers['content-security-policy']).toBeUndefined();
    expect(headers['content-security-policy-report-only']).toBeUndefined();
    expect(headers['link']).toBe(`<${portalOrigin}>; rel=preconnect`);
  });

  it.each([
    ["helmet's default policy", {}, "'self'"],
    ['a given policy', { directives: { 'script-src': ['cdn.example'] } }, 'cdn.example'],
  ])('sets %s with its option and allows the portal', async (_, policy, scripts) => {
    const { enforced } = await policyWith((host) =>
      host.use(portalCsp({ tenants, contentSecurityPolicy: policy })),
    );
    expect(enforced.get('frame-src')).toBe(`'self' ${portalOrigin}`);
    expect(enforced.get('script-src')).toBe(scripts);
  });

  it('keeps the policy of the application, even with a policy of its own', async () => {
    const { enforced } = await policyWith((host) => {
      host.use(
        helmet({ contentSecurityPolicy: { directives: { 'script-src': ['cdn.example'] } } }),
      );
      host.use(portalCsp({ tenants, contentSecurityPolicy: {} }));
    });
    expect(enforced.get('script-src')).toBe('cdn.example');
  });

  it("extends helmet's policy and replaces nothing in it", async () => {
    const directives = { 'script-src': ["'self'", 'cdn.example'], 'frame-src': ['video.example'] };
    const own = (host: Express) => host.use(helmet({ contentSecurityPolicy: { directives } }));
    const { enforced: before } = await policyWith(own);
    await app[Symbol.asyncDispose]();
    const { enforced: after, headers } = await policyWith((host) => {
      own(host);
      host.use(portalCsp({ tenants }));
    });
    expect(after).toEqual(
      new Map(before)
        .set('frame-src', `video.example ${portalOrigin}`)
        .set('connect-src', `'self' ${portalOrigin}`),
    );
    expect(headers['strict-transport-security']).toBeDefined();
  });

  it.each([
    [{ 'default-src': ["'none'"], 'script-src': ['cdn.example'] }, portalOrigin],
    [{ 'default-src': contentSecurityPolicy.dangerouslyDisableDefaultSrc }, undefined],
  ] as const)("extends helmet's policy without its defaults: %o", async (directives, frames) => {
    const { enforced } = await policyWith((host) => {
      host.use(
        contentSecurityPolicy({
          useDefaults: false,
          directives: { 'object-src': "'none'", ...directives },
        }),
      );
      host.use(portalCsp({ tenants }));
    });
    expect(enforced.get('object-src')).toBe("'none'");
    expect(enforced.get('frame-src')).toBe(frames);
    expect(enforced.get('connect-src')).toBe(frames);
  });

  it('extends a report-only policy and adds no enforced one', async () => {
    const { enforced, headers } = await policyWith((host) => {
      host.use(helmet({ contentSecurityPolicy: { reportOnly: true } }));
      host.use(portalCsp({ tenants }));
    });
    expect(enforced.get('frame-src')).toBeUndefined();
    expect(headers['content-security-policy-report-only']).toContain(portalOrigin);
  });

  it('extends an enforced and a report-only policy separately', async () => {
    const { headers } = await policyWith((host) => {
      host.use(helmet());
      host.use((_, res, next) => {
        res.setHeader('Content-Security-Policy-Report-Only', "default-src 'none'");
        next();
      });
      host.use(portalCsp({ tenants }));
    });
    expect(headers['content-security-policy']).toContain(`frame-src 'self' ${portalOrigin}`);
    expect(headers['content-security-policy-report-only']).toBe(
      `default-src 'none';frame-src ${portalOrigin};connect-src ${portalOrigin}`,
    );
  });

  it('extends each of several policies', async () => {
    const { headers } = await policyWith((host) => {
      host.use((_, res, next) => {
        res.setHeader('Content-Security-Policy', ["frame-src 'none'", "default-src 'self'"]);
        next();
      });
      host.use(portalCsp({ tenants }));
    });
    expect(headers['content-security-policy']).toBe(
      `frame-src ${portalOrigin}, default-src 'self';frame-src 'self' ${portalOrigin};connect-src 'self' ${portalOrigin}`,
    );
  });

  it('does not change a policy that allows all frames', async () => {
    const policy = "script-src 'self'; object-src 'none'";
    const { headers } = await policyWith((host) => {
      host.use((_, res, next) => {
        res.setHeader('Content-Security-Policy', policy);
        next();
      });
      host.use(portalCsp({ tenants }));
    });
    expect(headers['content-security-policy']).toBe(policy);
  });

  it('lets browsers connect to the portal of the tenant early, and keeps other links', async () => {
    const { headers } = await policyWith((host) => {
      host.use((_, res, next) => {
        res.setHeader('Link', '</app.js>; rel=preload; as=script');
        next();
      });
      host.use(portalCsp({ tenants }));
    });
    expect(headers['link']).toBe(
      `</app.js>; rel=preload; as=script, <${portalOrigin}>; rel=preconnect`,
    );
  });

  it('adds nothing for an unknown host name', async () => {
    const { enforced, headers } = await policyWith(
      (host) => host.use(helmet(), portalCsp({ tenants })),
      'other.test',
    );
    expect(headers['link']).toBeUndefined();
    expect(enforced.get('frame-src')).toBeUndefined();
    expect(enforced.get('default-src')).toBe("'self'");
  });
});

describe('a policy extended by the portal', () => {
  it.each([
    [
      "default-src 'none'",
      "default-src 'none';frame-src https://p.test;connect-src https://p.test",
    ],
    [
      "default-src 'self' a.test",
      "default-src 'self' a.test;frame-src 'self' a.test https://p.test;connect-src 'self' a.test https://p.test",
    ],
    ["frame-src 'none'", 'frame-src https://p.test'],
    ["frame-src 'NONE'", 'frame-src https://p.test'],
    ["script-src 'self'; img-src *", "script-src 'self'; img-src *"],
    ["connect-src 'none'", 'connect-src https://p.test'],
    ["script-src 'self', frame-src a.test", "script-src 'self', frame-src a.test https://p.test"],
    ['frame-src https://p.test', 'frame-src https://p.test'],
    [
      'child-src b.test;default-src c.test',
      'child-src b.test;default-src c.test;frame-src b.test https://p.test;connect-src c.test https://p.test',
    ],
    ['frame-src a.test; frame-src b.test', 'frame-src a.test https://p.test'],
    [
      'FRAME-SRC a.test;upgrade-insecure-requests',
      'frame-src a.test https://p.test;upgrade-insecure-requests',
    ],
  ])('%s becomes %s', (policy, extended) => {
    expect(extendPolicy(policy, 'https://p.test')).toBe(extended);
  });
});
