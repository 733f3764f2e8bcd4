import { describe, expect, it } from 'vitest';

import { isRefusal, isTransient } from './error.ts';
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

describe('each cause of the contract', () => {
  it.each(Object.entries(kinds) as [EmbedError['cause'], string][])('%s is %s', (cause, kind) => {
    expect({ refusal: isRefusal(cause), transient: isTransient(cause) }).toEqual({
      refusal: kind === 'refusal',
      transient: kind === 'transient',
    });
  });
});
