import { expect, it } from 'vitest';

import { keyActor } from '../../test/support/actors.ts';
import { pruneEntries } from '../access-log/service.ts';
import { createGroup } from '../access/create-group.ts';
import * as reportLinks from '../access/report-links.ts';
import { listRoleDatasets } from '../access/roles.ts';
import { listActivity, pruneActivity } from '../activity-log/service.ts';
import * as apiKeys from '../api-keys/service.ts';
import { grantConnection, revokeConnection } from '../connections/service.ts';
import { readContent } from '../content/service.ts';
import * as groups from '../groups/service.ts';
import * as organizations from '../organizations/service.ts';
import { findOidc, removeOidc, setOidc } from '../sign-in/oidc/provider-settings.ts';
import { updateUser } from '../users/service.ts';
import { countKeylessSessions, listSessions } from '../viewer-sessions/service.ts';
import type { Context } from './actor.ts';

const operations = {
  pruneEntries,
  listActivity,
  pruneActivity,
  createApiKey: apiKeys.createApiKey,
  listApiKeys: apiKeys.listApiKeys,
  renameApiKey: apiKeys.renameApiKey,
  rotateApiKey: apiKeys.rotateApiKey,
  revokeApiKey: apiKeys.revokeApiKey,
  grantConnection,
  revokeConnection,
  readContent,
  createGroup,
  findGroup: groups.findGroup,
  listGroups: groups.listGroups,
  findGroupIds: groups.findGroupIds,
  addMembers: groups.addMembers,
  removeMembers: groups.removeMembers,
  linkGroupReports: reportLinks.linkGroupReports,
  unlinkGroupReports: reportLinks.unlinkGroupReports,
  deleteOrganization: organizations.deleteOrganization,
  findOrigins: organizations.findOrigins,
  setOrigins: organizations.setOrigins,
  setUnappliedFilters: organizations.setUnappliedFilters,
  setHomeUrl: organizations.setHomeUrl,
  listRoleDatasets,
  updateUser,
  countKeylessSessions,
  listSessions,
  setOidc,
  removeOidc,
  findOidc,
};

/** The check is before the first statement, so no database is needed. */
const key: Context = {
  db: undefined as never,
  publicUrl: 'http://localhost:4000',
  organizationId: '5bd7a3a4-7f5c-4a6d-a5b3-2f6b1b5c9f10',
  actor: keyActor('0e6f0b1e-40e5-4b05-8c1a-5a3a3f6f2c4d'),
};

it.each(Object.entries(operations))('%s refuses an API key', async (_name, operation) => {
  const perform = operation as (ctx: Context, ...input: unknown[]) => unknown;
  await expect(async () => perform(key, [], {})).rejects.toMatchObject({
    code: 'missing_permission',
    message: expect.stringMatching(/^(Only an operator|No API key) may do this\./),
  });
});
