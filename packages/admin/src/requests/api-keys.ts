import { permissions, storableText, type Permission } from '@portal-embed/contract';
import { z } from 'zod';

import type { AdminEndpoint } from './endpoint.ts';

export interface AdminApiKey {
  id: string;
  name: string;
  permissions: Permission[];
  state: 'live' | 'revoked' | 'expired';
  createdAt: string;
  /** `null`: never. The same holds for the next three. */
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  lastRefusedAt: string | null;
  /** Id of the key that replaces it. */
  replacedBy: string | null;
}

/** A new key, which is shown once. */
export interface AdminNewApiKey {
  id: string;
  key: string;
}

/** All permissions that a key can have. */
export const keyPermissions = permissions;

const moment = z.iso.datetime({ offset: true });
const name = storableText(200);

export const createApiKeySchema = z.strictObject({
  name,
  permissions: z.array(z.enum(permissions)).min(1),
  expiresAt: moment.nullable(),
});

const ofKey = '/organizations/{organizationId}/api-keys/{keyId}';

export const apiKeyEndpoints = {
  listApiKeys: {
    method: 'GET',
    path: '/organizations/{organizationId}/api-keys',
    access: 'administrator',
  },
  createApiKey: {
    method: 'POST',
    path: '/organizations/{organizationId}/api-keys',
    access: 'administrator',
    isFresh: true,
    body: createApiKeySchema,
  },
  renameApiKey: {
    method: 'PUT',
    path: ofKey,
    access: 'administrator',
    body: z.strictObject({ name }),
  },
  rotateApiKey: {
    method: 'POST',
    path: `${ofKey}/rotate`,
    access: 'administrator',
    isFresh: true,
    body: z.strictObject({ oldWorksUntil: moment }),
  },
  revokeApiKey: {
    method: 'POST',
    path: `${ofKey}/revoke`,
    access: 'administrator',
    isFresh: true,
    body: z.strictObject({ keepSessions: z.boolean() }),
  },
} as const satisfies Record<string, AdminEndpoint>;

export interface ApiKeyAnswers {
  listApiKeys: { keys: AdminApiKey[] };
  createApiKey: AdminNewApiKey;
  renameApiKey: object;
  rotateApiKey: AdminNewApiKey;
  revokeApiKey: object;
}
