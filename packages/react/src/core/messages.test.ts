import type { EmbedFailureCause } from '@portal-embed/contract/frame';
import { describe, expect, it } from 'vitest';

import { describeAnswer, describeFailure } from './messages.ts';
import type { FrameFailureCause } from './messages.ts';

const frameCauses = Object.keys({
  insecure_url: true,
  same_origin: true,
  blocked_by_host: true,
  blocked_by_portal: true,
  unreachable: true,
  not_answering: true,
  no_response: true,
  timed_out: true,
  session_lost: true,
  report_not_accessible: true,
  report_failed: true,
  filters_not_applied: true,
} satisfies Record<FrameFailureCause, true>) as FrameFailureCause[];

const answers = Object.entries({
  not_signed_in: 401,
  unknown_tenant: 404,
  cross_site: 403,
  forbidden: 403,
  no_portal_user: 403,
  report_not_accessible: 404,
  portal_unavailable: 503,
  portal_timeout: 504,
  portal_rejected_key: 502,
  rate_limited: 429,
  invalid_request: 400,
  endpoint_unreachable: 503,
  endpoint_invalid: 404,
} satisfies Record<
  Exclude<EmbedFailureCause, FrameFailureCause> | 'report_not_accessible',
  number
>);

const addresses = [
  'https://p.example',
  `https://${'x'.repeat(250)}.portal.example`,
  'https://$&.example',
];
const sentence = /^[A-Z\d*/hf].{9,78}[^_]\.$/;

describe('describeFailure', () => {
  it.each(frameCauses)('%s is a sentence of at most 80 characters', (cause) => {
    for (const isFramed of [false, true])
      for (const address of addresses) {
        const text = describeFailure(cause, address, isFramed);
        expect(text).toMatch(sentence);
        expect(text).not.toContain(cause);
        expect(text).not.toContain('*');
      }
  });

  it('the origin is not shortened while there is room', () => {
    const origin = 'https://acme.portal.example.com:8443';
    expect(describeFailure('unreachable', origin)).toBe(`Nothing answers at ${origin}.`);
  });

  it.each(['not_answering', 'blocked_by_portal'] as const)(
    '%s names every ancestor only if the host is in a frame',
    (cause) => {
      const texts = [true, false].map((isFramed) =>
        describeFailure(cause, 'https://p.x', isFramed),
      );
      expect(texts[0]).toMatch(/Every ancestor must be an embed origin\.$/);
      expect(texts[1]).toMatch(/this page (as|is not) an embed origin\.$/);
    },
  );
});

describe('describeAnswer', () => {
  it.each(answers)(
    '%s with the status %s is a sentence with the status and address',
    (...answer) => {
      const [cause, status] = answer as [EmbedFailureCause, number];
      for (const endpoint of ['/portal-embed/url', `/${'x'.repeat(300)}`]) {
        const text = describeAnswer(cause, { endpoint }, status);
        expect(text).toMatch(sentence);
        expect(text).toContain(`${status} from /`);
        expect(text).not.toContain('_');
      }
    },
  );

  it.each([200, 204, 302, 400, 403, 405, 408, 413, 425, 500, 599])(
    'the status %s is a sentence with the status and address',
    (status) => {
      const cause = status < 500 ? 'endpoint_invalid' : 'endpoint_unreachable';
      const text = describeAnswer(cause, {}, status);
      expect(text).toMatch(sentence);
      expect(text).toContain(`${status} from /portal-embed/url: `);
    },
  );

  it('an answer of fetchIdentityUrl is not attributed to the default address', () => {
    const fetchIdentityUrl = () => Promise.reject(new Error('x'));
    const text = describeAnswer('endpoint_unreachable', { fetchIdentityUrl });
    expect(text).toBe('No answer from fetchIdentityUrl.');
  });
});
