import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { flights, pathTo, portalSession } from './test/samples.ts';

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  document.body.innerHTML = '<div id="viewer"></div>';
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  document.documentElement.lang = '';
  delete window.portalFrame;
});

async function openFlights() {
  await import('./viewer.tsx');
  const main = within(await screen.findByRole('main'));
  const card = { name: new RegExp(`^${flights.name}`) };
  await userEvent.click(await main.findByRole('button', card));
  expect(await screen.findByRole('heading', { level: 1, name: flights.name })).toBeVisible();
}

it('the address follows the report that the reader opens', async () => {
  history.replaceState(null, '', '/identity?token=a-token');
  const block = document.createElement('script');
  Object.assign(block, { id: 'viewer-session', type: 'application/json' });
  block.textContent = JSON.stringify(portalSession);
  document.body.append(block);
  await openFlights();
  expect(location.pathname).toBe(pathTo(flights));
});

it('the address of the shell stays when a report opens', async () => {
  history.replaceState(null, '', '/embed');
  window.portalFrame = {
    connected: new Promise(() => {}),
    listen: (receive) => receive({ type: 'session', id: 1, session: portalSession }),
  };
  await openFlights();
  expect(location.pathname).toBe('/embed');
});

it('the page is in the language of a host that has connected', async () => {
  history.replaceState(null, '', '/embed');
  window.portalFrame = {
    connected: Promise.resolve({
      port: new MessageChannel().port1,
      connect: { portalEmbed: 1, type: 'connect', locale: 'de' },
    }),
    listen: () => {},
  };
  await import('./viewer.tsx');
  await waitFor(() => expect(document.documentElement.lang).toBe('de'));
});

it('the page is shown in its own language if that of the host cannot be loaded', async () => {
  history.replaceState(null, '', '/embed');
  const { loadFormats } = await import('./format/create-formats.ts');
  vi.doMock('./format/create-formats.ts', () => ({
    loadFormats: (locale?: string) =>
      locale === undefined ? loadFormats() : Promise.reject(new TypeError('Failed to fetch')),
  }));
  onTestFinished(() => vi.doUnmock('./format/create-formats.ts'));
  window.portalFrame = {
    connected: Promise.resolve({
      port: new MessageChannel().port1,
      connect: { portalEmbed: 1, type: 'connect', locale: 'de' },
    }),
    listen: (receive) => receive({ type: 'session', id: 1, session: portalSession }),
  };
  await import('./viewer.tsx');
  expect(await screen.findByRole('heading', { level: 1, name: 'Reports' })).toBeVisible();
});
