import { afterEach, expect, it, vi } from 'vitest';

import { reportSession } from '../test/samples.ts';
import { waitForDocument, takeSession } from './take-session.ts';

afterEach(() => vi.restoreAllMocks());

it('takeSession removes the session from the document and the token from the address bar', () => {
  history.replaceState(null, '', '/identity?token=secret-token');
  const entries = history.length;
  document.body.innerHTML = '<script type="application/json" id="viewer-session"></script>';
  document.getElementById('viewer-session')!.textContent = JSON.stringify(reportSession);

  expect(takeSession()).toEqual(reportSession);
  expect(document.documentElement.outerHTML).not.toContain(reportSession.bearer);
  expect(location.href).not.toContain('secret-token');
  expect(location.pathname).toBe(reportSession.path);
  expect(history.length).toBe(entries);
});

it('takeSession returns null on a page without a session', () => {
  document.body.innerHTML = '';
  expect(takeSession()).toBeNull();
});

it('the document is ready when it is parsed and its style sheets are loaded, or when it is complete', async () => {
  const style = document.createElement('link');
  style.rel = 'stylesheet';
  document.head.replaceChildren(style);
  const readyState = vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
  const sheet = vi.spyOn(style, 'sheet', 'get').mockReturnValue(null);
  const isThere = async () => {
    let there = false;
    void waitForDocument().then(() => (there = true));
    document.dispatchEvent(new Event('readystatechange'));
    await Promise.resolve();
    return there;
  };
  expect(await isThere()).toBe(false);
  readyState.mockReturnValue('interactive');
  expect(await isThere()).toBe(false);
  sheet.mockReturnValue({} as CSSStyleSheet);
  expect(await isThere()).toBe(true);
  sheet.mockReturnValue(null);
  readyState.mockReturnValue('complete');
  expect(await isThere()).toBe(true);

  readyState.mockReturnValue('loading');
  const there = waitForDocument();
  readyState.mockReturnValue('interactive');
  document.dispatchEvent(new Event('readystatechange'));
  sheet.mockReturnValue({} as CSSStyleSheet);
  style.dispatchEvent(new Event('load'));
  await there;
});

it('a document that is complete is ready at once', async () => {
  vi.spyOn(document, 'readyState', 'get').mockReturnValue('complete');
  expect(await waitForDocument()).toBeUndefined();
});

it('a document without style sheets is ready when it is parsed', async () => {
  document.head.replaceChildren();
  const readyState = vi.spyOn(document, 'readyState', 'get').mockReturnValue('loading');
  const there = waitForDocument();
  readyState.mockReturnValue('interactive');
  document.dispatchEvent(new Event('readystatechange'));
  expect(await there).toBeUndefined();
});
