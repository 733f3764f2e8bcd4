import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';
import { line } from './lists.ts';

const organizationSchema = z.strictObject({
  /** Slug. */
  organization: line(100),
});

const text = line(4_000);

export const oidcEndpoints = {
  readSignInMethods: {
    method: 'POST',
    path: '/sign-in/methods',
    access: 'everyone',
    body: organizationSchema,
  },
  startOidc: { method: 'POST', path: '/oidc/start', access: 'everyone', body: organizationSchema },
  confirmWithOidc: { method: 'POST', path: '/oidc/confirm', access: 'signed-in' },
  finishOidc: {
    method: 'POST',
    path: '/oidc/finish',
    access: 'everyone',
    // The provider sends a code or, if it refuses, an error.
    body: z.strictObject({
      code: text.optional(),
      error: text.optional(),
      state: text,
      iss: text.optional(),
    }),
  },
  readSignInSettings: {
    method: 'GET',
    path: '/organizations/{organizationId}/sign-in',
    access: 'administrator',
  },
} as const satisfies Record<string, AdminEndpoint>;

/** Types of the answers. Pages trust the service, so answers need no schema. */
export interface OidcAnswers {
  readSignInMethods: {
    passwords: boolean;
    /** Host of the identity provider. */
    provider: string | null;
  };
  /** Where the browser goes. */
  startOidc: { url: string };
  confirmWithOidc: { url: string };
  finishOidc: {
    /** Whether a session was confirmed, rather than begun. */
    isConfirmation: boolean;
    /** Short name of the user's organization. */
    organization: string;
  };
  readSignInSettings: {
    passwords: boolean;
    provider: {
      issuer: string;
      clientId: string;
      redirectUri: string;
      /** Whether e-mails count as verified without a claim. */
      trustEmails: boolean;
    } | null;
  };
}
