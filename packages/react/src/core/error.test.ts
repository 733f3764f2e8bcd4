import { errorTable, hostErrorCodes, problemTypePrefix } from '@portal-embed/contract';
import type { ErrorCode } from '@portal-embed/contract';
import { describe, expect, it } from 'vitest';

import { createEmbedError, isRefusal, isTransient, readHostCode } from './error.ts';
import type { EmbedError } from './error.ts';

const kinds = {
  not_signed_in: 'refusal',
  unknown_tenant: 'final',
  cross_site: 'final',
  forbidden: 'refusal',
  no_portal_user: 'refusal',
  report_not_accessible: 'refusal',
  portal_unavailable: 'transient',
  portal_timeout: 'transient',
  portal_rejected_key: 'final',
  rate_limited: 'transient',
  invalid_request: 'final',
  report_failed: 'final',
  filters_not_applied: 'refusal',
  endpoint_unreachable: 'transient',
  endpoint_invalid: 'final',
  insecure_url: 'final',
  same_origin: 'final',
  blocked_by_host: 'final',
  blocked_by_portal: 'final',
  unreachable: 'transient',
  not_answering: 'transient',
  no_response: 'transient',
  timed_out: 'transient',
  session_lost: 'transient',
} satisfies Record<EmbedError['cause'], 'refusal' | 'transient' | 'final'>;

describe('createEmbedError', () => {
  it('without a text, the text is the cause', () => {
    expect(createEmbedError('not_signed_in')).toMatchObject({
      name: 'EmbedError',
      cause: 'not_signed_in',
      message: 'not_signed_in',
      retryAfter: 0,
    });
  });
});

describe('isRefusal and isTransient', () => {
  it.each(Object.entries(kinds) as [EmbedError['cause'], string][])(
    'the cause %s is %s',
    (cause, kind) => {
      const error = createEmbedError(cause);
      expect({ refusal: isRefusal(error), transient: isTransient(error) }).toEqual({
        refusal: kind === 'refusal',
        transient: kind === 'transient',
      });
    },
  );
});

describe('readHostCode', () => {
  it.each(Object.keys(errorTable) as ErrorCode[])(
    'returns only codes of the host endpoint: %s',
    (code) => {
      const isHostCode = (hostErrorCodes as ErrorCode[]).includes(code);
      expect(readHostCode(problemTypePrefix + code)).toBe(isHostCode ? code : undefined);
    },
  );

  it.each([
    undefined,
    '',
    'about:blank',
    'forbidden',
    'https://example.test/:problem:forbidden',
    `${problemTypePrefix}forbidden/2`,
    `${problemTypePrefix}constructor`,
  ])('ignores the type %s', (type) => {
    expect(readHostCode(type)).toBeUndefined();
  });
});
