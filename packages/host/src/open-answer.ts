import { createHash } from 'node:crypto';

import { errorTable } from '@portal-embed/contract';

import type { MintAnswer } from './adapter-request.ts';
import type { Refusal, RefusalCode } from './refusal.ts';

interface Notice {
  title: string;
  text: string;
  /** Links below the text. The empty address is the page's own. Default: none. */
  links?: readonly (typeof openAgain | typeof goToApplication)[];
}

const openAgain = { href: '', text: 'Open the report again' };
const goToApplication = { href: '/', text: 'Go to the application' };

const unavailable: Notice = {
  title: 'The report is not available right now',
  text: 'Try again in a moment.',
  links: [openAgain],
};
const notAllowed: Notice = {
  title: 'You cannot open this report',
  text: 'Ask an administrator for access to it.',
};
const notFound: Notice = {
  title: 'There is nothing at this address',
  text: 'Check that the link is complete.',
};

/** A code that is not listed cannot be caused by opening a link. */
const notices: Partial<Record<RefusalCode, Notice>> = {
  not_signed_in: {
    title: 'Sign in to open this report',
    text: 'Sign in to the application, then open the report again. If you are signed in already, open it again now.',
    links: [openAgain, goToApplication],
  },
  unknown_tenant: notFound,
  not_found: notFound,
  forbidden: notAllowed,
  report_not_accessible: notAllowed,
  no_portal_user: {
    title: 'You have no access to the reports',
    text: 'Ask an administrator for access to them.',
  },
  rate_limited: {
    title: 'Too many reports were opened',
    text: 'Wait a minute, then try again.',
    links: [openAgain],
  },
  portal_unavailable: unavailable,
  portal_timeout: unavailable,
  portal_rejected_key: {
    title: 'The report is not available',
    text: 'Contact the administrator of this application.',
  },
  invalid_request: { title: 'This link is not valid', text: 'Check that the link is complete.' },
  navigation_required: {
    title: 'Open this link in a browser tab',
    text: 'The report was not opened yet.',
    links: [openAgain],
  },
};

// System colours and fonts follow the reader's settings, dark mode and high contrast included.
const style =
  ':root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}' +
  'main{max-width:34rem;margin:12vh auto;padding:0 1.25rem;overflow-wrap:anywhere}' +
  'h1{font-size:1.375rem;line-height:1.3}' +
  'a{display:inline-block;padding:.5rem 0;margin-right:1.5rem}';
const styleHash = createHash('sha256').update(style).digest('base64');

const answerHeaders = {
  // The portal must not learn the address that links to it.
  'Referrer-Policy': 'no-referrer',
  // The portal's page may set it. A page of another site that opens the link in a window could
  // otherwise tell a refusal from a report, and so whether the reader is signed in.
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const pageHeaders = {
  ...answerHeaders,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'X-Content-Type-Options': 'nosniff',
};

/** Sends the browser on to a fresh URL. */
export const answerRedirect = (embedUrl: string): MintAnswer => ({
  status: 303,
  headers: { ...answerHeaders, Location: new URL(embedUrl).href },
  body: '',
});

export function answerOpenMethodNotAllowed(requestId: string): MintAnswer {
  const { headers, ...page } = answerPage(405, notices.navigation_required!, requestId);
  return { ...page, headers: { ...headers, Allow: 'GET' } };
}

export function answerOpenRefusal(
  { code, retryAfterSeconds }: Refusal,
  requestId: string,
): MintAnswer {
  const page = answerPage(errorTable[code].status, notices[code] ?? unavailable, requestId);
  if (retryAfterSeconds !== undefined)
    page.headers['Retry-After'] = String(Math.ceil(retryAfterSeconds));
  return page;
}

/** Builds a page from fixed texts and the request id, so that it repeats nothing of the request. */
const answerPage = (
  status: number,
  { title, text, links = [] }: Notice,
  requestId: string,
): MintAnswer => ({
  status,
  headers: { ...pageHeaders },
  body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
${links.length === 0 ? '' : `<p>${links.map((link) => `<a href="${link.href}">${link.text}</a>`).join(' ')}</p>\n`}<p><small>Reference: ${escapeHtml(requestId)}</small></p>
</main>
</body>
</html>
`,
});

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
