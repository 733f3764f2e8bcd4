import type { Fault } from './portal-faults.js';

/** Faults that a host's URL-minting endpoint could have, written from the specification alone. */
export const hostFaults = [
  {
    id: 'embed-url-renamed',
    section: 'Identity URL result',
    behavior: 'The URL is called url, not embedUrl.',
  },
  {
    id: 'expires-at-missing',
    section: 'Identity URL result',
    behavior: 'The answer has no expiresAt.',
  },
  {
    id: 'expires-at-without-zone',
    section: 'Identity URL result',
    behavior: 'expiresAt names no time zone.',
  },
  {
    id: 'expires-in-an-hour',
    section: 'Limits',
    behavior: 'expiresAt is an hour after the issue, not five minutes.',
  },
  {
    id: 'expired-url',
    section: 'States and transitions, 1',
    behavior: 'expiresAt of a new URL has passed.',
  },
  {
    id: 'url-reused',
    section: 'States and transitions, 2',
    behavior: 'A second request of the same person gets the first URL again.',
  },
  {
    id: 'url-shared-between-users',
    section: 'States and transitions, 3',
    behavior: 'A second person gets a new URL that belongs to the first.',
  },
  {
    id: 'fixed-user',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'The URL belongs to a service account, not to the signed-in person.',
  },
  {
    id: 'user-from-body',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'A userEmail in the body replaces the e-mail address of the signed-in person.',
  },
  {
    id: 'user-from-query',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'A userEmail in the query replaces the e-mail address of the signed-in person.',
  },
  {
    id: 'anonymous-accepted',
    section: 'POST /api/identity/url, userEmail',
    behavior: 'A request of nobody who is signed in gets a URL.',
  },
  {
    id: 'key-in-body',
    section: 'Authentication, 1',
    behavior: 'The answer to the browser contains the API key.',
  },
  {
    id: 'key-in-header',
    section: 'Authentication, 1',
    behavior: 'The X-API-Key header of the request to the portal is sent to the browser.',
  },
  {
    id: 'token-already-used',
    section: 'States and transitions, 2',
    behavior: 'The host opens the URL before it hands it out.',
  },
  {
    id: 'token-dropped',
    section: 'Identity URL result',
    behavior: 'The URL has lost its token parameter.',
  },
  {
    id: 'return-url-dropped',
    section: 'Identity URL result',
    behavior: 'The URL of a single report has lost its returnUrl parameter.',
  },
  {
    id: 'url-html-escaped',
    section: 'POST /api/identity/url, rule 3',
    behavior: 'The URL is HTML-escaped: its second parameter is called amp;returnUrl.',
  },
  {
    id: 'answer-not-json',
    section: 'What the service does',
    behavior: 'The answer has the content type text/html.',
  },
  {
    id: 'refusal-as-success',
    section: 'Identity URL result',
    behavior: 'A refusal is answered with the status 200 and an empty embedUrl.',
  },
  {
    id: 'answer-cacheable',
    section: 'States and transitions, 2',
    behavior: 'The answer may be cached, so a later request gets a used URL.',
  },
] as const satisfies readonly Fault[];
