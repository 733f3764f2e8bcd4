import { presentApiKey } from '../api-keys/presenter.ts';
import {
  createApiKey,
  listApiKeys,
  renameApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../api-keys/service.ts';
import type { AdminHandlers } from './mount.ts';

export const apiKeyAdminRoutes = {
  listApiKeys: async ({ ctx }) => ({ keys: (await listApiKeys(ctx)).map(presentApiKey) }),
  createApiKey: ({ ctx }, { name, permissions, expiresAt }) =>
    createApiKey(ctx, {
      name,
      permissions,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    }),
  renameApiKey: async ({ ctx }, { keyId, name }) => {
    await renameApiKey(ctx, { id: keyId, name });
    return {};
  },
  rotateApiKey: ({ ctx }, { keyId, oldWorksUntil }) =>
    rotateApiKey(ctx, { id: keyId, oldWorksUntil: new Date(oldWorksUntil) }),
  revokeApiKey: async ({ ctx }, { keyId, keepSessions }) => {
    await revokeApiKey(ctx, { id: keyId, keepSessions });
    return {};
  },
} satisfies Partial<AdminHandlers>;
