import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import type { EmbedHandle } from './core/embed.ts';
import { definePortalEmbed } from './element.ts';
import type { PortalEmbedProps } from './PortalEmbed.ts';
import type { PortalEmbedHook } from './PortalEmbed.ts';
import { defaultTexts } from './texts.ts';

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');

/** Returns the names in the first column of the table with this heading. */
const namesIn = (heading: string) => {
  const [, table = ''] = readme.split(new RegExp(`^\\| ${heading} +\\|.*\\n.*\\n`, 'm'));
  const rows = table.split('\n\n')[0]!.split('\n');
  return rows.flatMap((row) => row.split('|')[1]?.match(/[\w-]+(?=(\(\w*\))?`)/g) ?? []).toSorted();
};

// The types require every name and no other.
const props: Record<keyof PortalEmbedProps, true> = {
  accentColor: true,
  autoHeight: true,
  locale: true,
  onRequestAccess: true,
  className: true,
  customFilters: true,
  embed: true,
  endpoint: true,
  error: true,
  fetchIdentityUrl: true,
  handshake: true,
  portalUrl: true,
  hideMenu: true,
  hideNavbar: true,
  hideSidebar: true,
  initialView: true,
  lazy: true,
  loading: true,
  maxHeight: true,
  onError: true,
  onExport: true,
  onNavigate: true,
  onReady: true,
  onRefresh: true,
  onSelect: true,
  onStateChange: true,
  onViewChange: true,
  refreshInterval: true,
  refused: true,
  reportId: true,
  signedOut: true,
  style: true,
  texts: true,
  theme: true,
  timeout: true,
  title: true,
  view: true,
};
const handle: Record<keyof EmbedHandle, true> = {
  export: true,
  iframe: true,
  print: true,
  refresh: true,
  setFilters: true,
};
const hook: Record<keyof PortalEmbedHook<object>, true> = {
  handle: true,
  options: true,
  ref: true,
  state: true,
};

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  .join('\n');
const findInSources = (pattern: RegExp) => [
  ...new Set([...sources.matchAll(pattern)].map(([, name]) => name!)),
];

const attributes = () => {
  definePortalEmbed();
  const { observedAttributes } = customElements.get('portal-embed') as unknown as {
    observedAttributes: string[];
  };
  return observedAttributes;
};

it.each([
  ['prop', () => Object.keys(props)],
  ['text', () => Object.keys(defaultTexts)],
  ['handle', () => Object.keys(handle)],
  ['hook', () => Object.keys(hook)],
  ['attribute', attributes],
  ['event', () => findInSources(/: emit\('(\w+)'/g)],
  ['custom property', () => findInSources(/var\((--portal-embed-[\w-]+)/g)],
])('the README lists every %s and no other', (heading, listNames) => {
  const names = listNames();
  expect(names.length).toBeGreaterThan(2);
  expect(namesIn(heading)).toEqual(names.toSorted());
});

it('the README lists each default text', () => {
  for (const [name, text] of Object.entries(defaultTexts))
    expect(readme).toMatch(new RegExp(`^\\| \`${name}\` +\\| ${text} `, 'm'));
});
