import type { Look } from '@portal-embed/contract/frame';

import { listLookVariables, type ViewerSessionElementId } from '#viewer/requests';

import type { Assets } from './assets.ts';
import { findMessage, type Language } from './languages.ts';
import { describeNotice, notices, type NoticeName } from './notices.ts';

const sessionElementId: ViewerSessionElementId = 'viewer-session';
const firstPageElementId = 'first-page';

/** Appearance of a page, and the origins that may frame it. */
export interface Appearance {
  organizationName: string | undefined;
  accentColor: string | undefined;
  /** Font, radius, density and palette; `null` for the usual ones. */
  look: Look | null;
  /** Address to which readers without a session return. */
  homeUrl: string | null;
  /** Path of the organization's logo. */
  logo: string | null;
  /** BCP 47 tag of the texts for readers whose languages have none; `null` for English. */
  language: string | null;
  embedOrigins: readonly string[];
  /** Whether a report of the organization is shown in a frame of another product. */
  hasFrames: boolean;
}

/** What every document of a request shares. */
export interface DocumentParts {
  assets: Assets;
  appearance: Appearance;
  language: Language;
  /**
   * Whether the document has an embedder policy, so that it frames only isolated documents. Default: it
   * does not matter, because it frames nothing.
   */
  isIsolated?: boolean;
}

const escapeHtml = (text: string): string =>
  text.replace(
    /[&<>"']/g,
    (character) =>
      ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[character]!,
  );

/** Escapes `<`, which could end the script element. */
export const escapeJson = (json: string): string => json.replaceAll('<', '\\u003c');

/** The inline style of a page; its hash is in the policy. */
export function lookStyle({ accentColor, look }: Appearance): string {
  const variables = [
    ...(accentColor ? [['--accent', escapeHtml(accentColor)] as const] : []),
    ...listLookVariables(look ?? {}),
  ];
  const rules = variables.map(([name, value]) => `${name}:${value}`);
  return rules.length === 0 ? '' : `:root{${rules.join(';')}}`;
}

/** A page with one message, for example that a link was used. */
export const noticeDocument = (scope: DocumentParts, name: NoticeName): string =>
  documentHead(scope, {
    title: describeNotice(scope.language, name).title,
    signals: { 'data-session-required': notices[name] },
    links: '',
  }) + documentBody(noticeContent(scope, name));

function noticeContent(
  { appearance, language }: DocumentParts,
  name: NoticeName | 'shell',
): string {
  const { organizationName, homeUrl, logo } = appearance;
  const { title, text } = describeNotice(language, name);
  return `<main class="notice">
${organizationName ? `<p class="notice-organization">${logo === null ? '' : `<img class="logo" src="${logo}" alt="">`}${escapeHtml(organizationName)}</p>` : ''}
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${homeUrl === null ? '' : homeLink(homeUrl, findMessage(language, name === 'root' ? 'notice.root.link' : 'home.back'))}
</main>`;
}

const homeLink = (href: string, label: string): string =>
  `<p><a class="button home-link" href="${escapeHtml(href)}">${escapeHtml(label)}</a></p>`;

/** The viewer's page without a session. The host opens reports in it; readers see the notice. */
export const shellDocument = (scope: DocumentParts): string =>
  viewerHead(scope, scope.appearance.organizationName) +
  documentBody(`${scriptNotice(scope)}
${noticeContent(scope, 'shell')}
${viewerElement}`);

const viewerElement = '<div id="viewer"></div>';

/** Shown by a browser that runs no scripts. */
const scriptNotice = ({ language }: DocumentParts): string => `<noscript><div class="notice">
<h1>${escapeHtml(findMessage(language, 'no_script.title'))}</h1>
<p>${escapeHtml(findMessage(language, 'no_script.text'))}</p>
</div></noscript>`;

/**
 * Head of the viewer's page. The browser loads its scripts while the body is computed.
 *
 * @param title default: that of all reports
 * @param isDrawn whether the body has a first page, which is painted before scripts load
 */
export const viewerHead = (
  scope: DocumentParts,
  title: string | undefined,
  isDrawn = false,
): string =>
  documentHead(scope, {
    title: title ?? findMessage(scope.language, 'page.reports'),
    signals: { 'data-accepts': 'open', ...(scope.isIsolated && { 'data-isolated': '' }) },
    // An empty frame before the body would delay the first page.
    links: isDrawn
      ? `<link rel="expect" href="#${firstPageElementId}" blocking="render">`
      : viewerScripts(scope),
  });

function viewerScripts({ assets, language }: DocumentParts): string {
  const preloads = [...assets.preloads, ...(language.script ? [language.script] : [])];
  return [
    ...preloads.map((href) => `<link rel="modulepreload" href="${href}">`),
    // `async` runs the script while the report is computed.
    `<script type="module" async fetchpriority="high" src="${assets.script}"></script>`,
  ].join('\n');
}

/**
 * Body of the viewer's page with the session.
 *
 * @param session as `escapeJson` returns it
 * @param firstPage HTML to show, inert, until the scripts have drawn the page; `''` if there is none
 *   although the head announced one. Default: none was announced
 */
export const viewerBody = (scope: DocumentParts, session: string, firstPage?: string): string =>
  documentBody(`${scriptNotice(scope)}
${firstPage ? `<div id="${firstPageElementId}" inert>${firstPage}</div>\n` : ''}${viewerElement}
<script type="application/json" id="${sessionElementId}">${session}</script>${
    // The first script of the page takes them out after the paint.
    firstPage === undefined
      ? ''
      : `\n<template id="late-scripts">${viewerScripts(scope)}</template>`
  }`);

function documentHead(
  { assets, appearance, language }: DocumentParts,
  content: { title: string; signals: Record<string, string>; links: string },
): string {
  const attributes = Object.entries({
    'data-embed-origins': JSON.stringify(appearance.embedOrigins),
    ...content.signals,
  }).map(([name, value]) => ` ${name}="${escapeHtml(value)}"`);
  const style = lookStyle(appearance);
  return `<!doctype html>
<html lang="${language.language}" dir="${language.direction}">
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

/** The page that shows frames of a platform. */
export const frameDocument = (
  { frameScript }: Assets,
  { page, label, hasStyles }: { page: string; label: string; hasStyles: boolean },
): string => `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(label)}</title>
${hasStyles ? `<link rel="stylesheet" href="${page}/adapter.css">` : ''}
<link rel="modulepreload" href="${page}/adapter.js">
<script type="module" src="${frameScript}"></script>
</head>
<body>
<div id="frame"></div>
</body>
</html>
`;

const documentBody = (content: string): string => `<body>
${content}
</body>
</html>
`;
