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

/** The inline style of a page; its hash is in the policy. */
export const accentStyle = ({ accentColor }: Appearance): string =>
  accentColor ? `:root{--accent:${escapeHtml(accentColor)}}` : '';

/** A page with one message, for example that a link was used. */
export const noticeDocument = (assets: Assets, appearance: Appearance, notice: Notice): string =>
  documentHead(assets, appearance, {
    title: notice.title,
    signals: { 'data-session-required': notice.sessionRequired },
    links: '',
  }) + documentBody(noticeContent(appearance, notice));

const noticeContent = (
  { organizationName }: Appearance,
  { title, text }: Pick<Notice, 'title' | 'text'>,
): string => `<main class="notice">
${organizationName ? `<p class="notice-organization">${escapeHtml(organizationName)}</p>` : ''}
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</main>`;

/** The viewer's page without a session. The host opens reports in it; readers see the notice. */
export const shellDocument = (
  assets: Assets,
  appearance: Appearance,
  notice: Pick<Notice, 'title' | 'text'>,
): string =>
  viewerHead(assets, appearance, appearance.organizationName ?? 'Reports') +
  documentBody(`${noticeContent(appearance, notice)}\n${viewerElement}`);

const viewerElement = '<div id="viewer"></div>';

/** Head of the viewer's page. The browser loads its scripts while the body is computed. */
export const viewerHead = (assets: Assets, appearance: Appearance, title: string): string =>
  documentHead(assets, appearance, {
    title,
    signals: { 'data-accepts': 'open' },
    links: [
      ...assets.preloads.map((href) => `<link rel="modulepreload" href="${href}">`),
      // `async` runs the script while the report is computed; the preload fetches it early.
      `<script type="module" async fetchpriority="high" src="${assets.script}"></script>`,
    ].join('\n'),
  });

/** Body of the viewer's page with the session. */
export const viewerBody = (session: ViewerSession): string =>
  documentBody(`<script type="application/json" id="${sessionElementId}">${escapeJson(session)}</script>
${viewerElement}`);

function documentHead(
  assets: Assets,
  appearance: Appearance,
  content: { title: string; signals: Record<string, string>; links: string },
): string {
  const attributes = Object.entries({
    'data-embed-origins': JSON.stringify(appearance.embedOrigins),
    ...content.signals,
  }).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  const style = accentStyle(appearance);
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
${style === '' ? '' : `<style>${style}</style>`}
${content.links}
</head>
`;
}

const documentBody = (content: string): string => `<body>
${content}
</body>
</html>
`;
