import type { SessionRequiredReason } from '@portal-embed/contract';

import type { ViewerSession, ViewerSessionElementId } from '#wire/viewer.ts';

import type { Assets } from './assets.ts';

const sessionElementId: ViewerSessionElementId = 'viewer-session';

/** Appearance of a page, and the origins that may frame it. */
export interface Appearance {
  organizationName: string | undefined;
  accentColor: string | undefined;
  embedOrigins: readonly string[];
}

export interface Notice {
  title: string;
  text: string;
  /** Reason to request a fresh identity URL, for the host frame. */
  sessionRequired: SessionRequiredReason;
}

const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (character) =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character]!,
  );

/** Escapes `<`, which could end the script element. */
const escapeJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** A page with one message, for example that a link was used. */
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

/** Head of the viewer's page. The browser loads its scripts while the body is computed. */
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
      // `async` runs the script while the report is computed; the preload fetches it early.
      `<script type="module" async fetchpriority="high" src="${assets.script}"></script>`,
    ].join('\n'),
  });

/** Body of the viewer's page with the session. */
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
