import { launchHeadless, send } from 'test-support';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startTestPortal, type TestPortal } from '../support/portal.ts';

let portal: TestPortal;
let browser: Awaited<ReturnType<typeof launchHeadless>>;
beforeAll(async () => {
  [portal, browser] = await Promise.all([startTestPortal(), launchHeadless()]);
});
afterAll(async () => {
  await browser.close();
  await portal.close();
});

describe('GET /openapi.json', () => {
  it('is public and names the origin of the request as its server', async () => {
    for (const origin of [portal.publicUrl, portal.acme.address]) {
      const answer = await send(`${origin}/openapi.json`);
      expect([answer.status, answer.headers['content-type']]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
      expect(answer.json()).toMatchObject({ openapi: '3.1.1', servers: [{ url: origin }] });
    }
  });
});

describe('GET /docs', () => {
  it('shows the API, sends a test request and contacts no other origin', async () => {
    const page = await browser.newPage();
    const origins = new Set<string>();
    const errors: string[] = [];
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(String(error)));

    await page.goto(`${portal.publicUrl}/docs`);
    await page.getByText('Needs the permission users:read').waitFor();
    await page.locator('.scalar-password-input').first().fill(portal.acme.apiKey);
    await page.getByRole('button', { name: /Test Request.*get \/api\/user\)/i }).click();
    const answered = page.waitForResponse((response) => response.url().includes('/api/user'));
    await page.getByRole('button', { name: /^Send get request/i }).click();

    const answer = await answered;
    expect([answer.status(), answer.request().headers()['x-api-key']]).toEqual([
      200,
      portal.acme.apiKey,
    ]);
    const shown = page.getByRole('dialog').getByText(portal.acme.emails.west);
    await shown.first().waitFor();
    expect([...origins].filter((origin) => origin !== 'null')).toEqual([portal.publicUrl]);
    expect(errors).toEqual([]);
  });

  it('cannot be framed, and runs and loads nothing of another origin', async () => {
    const answer = await send(`${portal.publicUrl}/docs`);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    expect(answer.body).not.toMatch(/https?:\/\//);
  });
});
