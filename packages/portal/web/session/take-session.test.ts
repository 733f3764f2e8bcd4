import { expect, it } from 'vitest';

import { reportSession } from '../test/samples.ts';
import { takeSession } from './take-session.ts';

it('takes the session out of the document and the token out of the address bar', () => {
  history.replaceState(null, '', '/identity?token=secret-token');
  const entries = history.length;
  document.body.innerHTML = '<script type="application/json" id="viewer-session"></script>';
  document.querySelector('script')!.textContent = JSON.stringify(reportSession);

  expect(takeSession()).toEqual(reportSession);
  expect(document.documentElement.outerHTML).not.toContain(reportSession.bearer);
  expect(location.href).not.toContain('secret-token');
  expect(location.pathname).toBe(reportSession.path);
  expect(history.length).toBe(entries);
});

it('finds nothing on a page without a session', () => {
  document.body.innerHTML = '';
  expect(takeSession()).toBeNull();
});
