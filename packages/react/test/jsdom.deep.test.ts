import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildFirst } from 'test-support/build';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

/** The part of jsdom that the tests use. */
interface Jsdom {
  JSDOM: new (html: string, options: object) => { window: typeof window & { close: () => void } };
  VirtualConsole: new () => {
    on: (type: 'jsdomError', listener: (error: Error) => void) => void;
  };
}

// jest-environment-jsdom 29 brings version 20, and 30 brings version 26.
const versions = [20, 22, 24, 26];
const bundle = fileURLToPath(new URL('../dist/element.global.js', import.meta.url));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-embed-jsdom-'));
let script: string;

buildFirst();
beforeAll(() => {
  script = fs.readFileSync(bundle, 'utf8');
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
  const flags = ['--prefer-offline', '--no-audit', '--no-fund'];
  const packages = versions.map((version) => `jsdom-${version}@npm:jsdom@${version}`);
  execFileSync('npm', ['install', ...flags, ...packages], { cwd: folder, stdio: 'ignore' });
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Opens a page that loads the script of the element twice. */
function openPage(version: number) {
  const { JSDOM, VirtualConsole } = createRequire(path.join(folder, 'package.json'))(
    `jsdom-${version}`,
  ) as Jsdom;
  const errors: string[] = [];
  const virtualConsole = new VirtualConsole();
  virtualConsole.on('jsdomError', ({ message }) => errors.push(message));
  const { window } = new JSDOM('<!doctype html>', {
    url: 'http://host.localhost/',
    runScripts: 'outside-only',
    pretendToBeVisual: true,
    virtualConsole,
  });
  onTestFinished(() => window.close());
  for (let load = 0; load < 2; load++) window.eval(script);
  const element = window.document.createElement('portal-embed');
  return { window, element, errors };
}

it.each(versions)('the element renders its frame in jsdom %s', async (version) => {
  const { window, element, errors } = openPage(version);
  const requests: unknown[] = [];
  element.options = {
    reportId: 'sales',
    fetchIdentityUrl: async (request) => {
      requests.push(request);
      return { embedUrl: 'http://portal.localhost:4100/identity?token=1' };
    },
  };
  window.document.body.append(element);
  const frame = () => element.shadowRoot!.querySelector('iframe')?.src;
  await expect.poll(frame).toBe('http://portal.localhost:4100/identity?token=1');
  expect(element.dataset['portalEmbed']).toBe('loading');
  expect(element.shadowRoot!.querySelector('output')!.textContent).toBe('Loading report');
  expect(requests).toEqual([{ reportId: 'sales' }]);
  element.remove();
  expect(frame()).toBeUndefined();
  expect(errors).toEqual([]);
});

it.each(versions)('the element shows its failure in jsdom %s', async (version) => {
  const { window, element, errors } = openPage(version);
  element.options = {
    fetchIdentityUrl: () => Promise.reject(Object.assign(new Error('x'), { status: 404 })),
  };
  const causes: string[] = [];
  element.addEventListener('failure', ({ detail }) => causes.push(detail.cause));
  window.document.body.append(element);
  await expect.poll(() => causes).toEqual(['endpoint_invalid']);
  expect(element.shadowRoot!.querySelector('output')!.textContent).toBe('Report failed to load');
  expect(errors).toEqual([]);
});
