import type { SessionRequiredReason } from '@portal-embed/contract';

import type { ViewerSession, ViewerSessionElementId } from '#wire/viewer.ts';

import type { Assets } from './assets.ts';

const sessionElementId: ViewerSessionElementId = 'viewer-session';

/** In whose look a page comes, and which origins may frame it and talk to it. */
export interface Appearance {
  organizationName: string | undefined;
  accentColor: string | undefined;
  embedOrigins: readonly string[];
}

export interface Notice {
  title: string;
  text: string;
  /** Tells the host frame that a fresh identity URL is needed, and why. */
  sessionRequired: SessionRequiredReason;
}

const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (character) =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character]!,
  );

/** `<` would let a value end the script element that carries it. */
const escapeJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** A page that says one thing: that a link is spent, that a page was reloaded, that we failed. */
export const noticeDocument = (
  assets: Assets,
  nonce: string,
  appearance: Appearance,
  notice: Notice,
): string =>
  documentHead(assets, nonce, appearance, {
    title: notice.title,
    signals: { 'data-session-required': notice.sessionRequired },
    links: '',
  }) +
  documentBody(`<main class="notice">
${appearance.organizationName ? `<p class="notice-organization">${escapeHtml(appearance.organizationName)}</p>` : ''}
<h1>${escapeHtml(notice.title)}</h1>
<p>${escapeHtml(notice.text)}</p>
</main>`);

/** The viewer's page up to its body: a browser fetches what it names while the rest is computed. */
export const viewerHead = (
  assets: Assets,
  nonce: string,
  appearance: Appearance,
  title: string,
): string =>
  documentHead(assets, nonce, appearance, {
    title,
    signals: {},
    links: [
      ...assets.preloads.map((href) => `<link rel="modulepreload" href="${href}">`),
      // Run while the report is still computed; by itself `async` would also be fetched late.
      `<script type="module" async fetchpriority="high" src="${assets.script}"></script>`,
    ].join('\n'),
  });

/** The rest of the viewer's page, once its session is complete. */
export const viewerBody = (session: ViewerSession): string =>
  documentBody(`<script type="application/json" id="${sessionElementId}">${escapeJson(session)}</script>
<div id="viewer"></div>`);

function documentHead(
  assets: Assets,
  nonce: string,
  appearance: Appearance,
  content: { title: string; signals: Record<string, string | undefined>; links: string },
): string {
  const attributes = Object.entries({
    'data-embed-origins': JSON.stringify(appearance.embedOrigins),
    ...content.signals,
  }).flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escapeHtml(value)}"`]));
  const accent = appearance.accentColor
    ? `<style nonce="${nonce}">:root{--accent:${escapeHtml(appearance.accentColor)}}</style>`
    : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<script id="portal-boot"${attributes.join('')}>${assets.boot.code}</script>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(content.title)}</title>
${assets.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${accent}
${content.links}
</head>
`;
}

const documentBody = (content: string): string => `<body>
${content}
</body>
</html>
`;
