import { userRoles } from '@portal-embed/contract';

import type { Rights } from '#admin/requests';

import type { Context } from '../actor/actor.ts';
import { requireAdministrator } from '../actor/permissions.ts';
import { PortalError } from '../errors.ts';
import { findAuthor } from './authoring-store.ts';

/** What somebody may do with reports on the administration pages. */
export interface Authoring {
  isAdministrator: boolean;
  canCreate: boolean;
  canEdit: boolean;
  /** Whether a new report may replace an existing one. */
  canOverwrite: boolean;
  /** The workspaces to which these rights are limited; `null`: all. */
  workspaceIds: ReadonlySet<string> | null;
}

const everything: Authoring = {
  isAdministrator: true,
  canCreate: true,
  canEdit: true,
  canOverwrite: true,
  workspaceIds: null,
};

/**
 * Reads the rights of the caller: administrators and operators have all, contributors those of their
 * flags, and workspace contributors only in their workspaces.
 *
 * @throws `missing_permission` for API keys and viewers
 */
export async function readAuthoring(ctx: Context): Promise<Authoring> {
  const { actor, db, organizationId } = ctx;
  const isContributor =
    actor.kind === 'user' &&
    (actor.role === userRoles.contributor || actor.role === userRoles.workspaceContributor);
  if (!isContributor) {
    requireAdministrator(ctx);
    return everything;
  }
  const author = await findAuthor(db, organizationId, actor.id);
  return {
    isAdministrator: false,
    canCreate: author.canCreate,
    canEdit: author.canEdit,
    canOverwrite: author.canOverwrite,
    workspaceIds:
      actor.role === userRoles.workspaceContributor ? new Set(author.workspaceIds) : null,
  };
}

/** The rights of the caller, for pages. Without a workspace, a workspace contributor can create nothing. */
export async function readRights(ctx: Context): Promise<Rights> {
  const { canCreate, canEdit, canOverwrite, workspaceIds } = await readAuthoring(ctx);
  return {
    canCreate: canCreate && workspaceIds?.size !== 0,
    canEdit,
    canOverwrite,
    isLimited: workspaceIds !== null,
  };
}

/** Whether the rights include a workspace. */
export const includesWorkspace = ({ workspaceIds }: Authoring, workspaceId: string): boolean =>
  workspaceIds === null || workspaceIds.has(workspaceId);

/**
 * Requires one of the rights.
 *
 * @throws `missing_permission`
 */
export function requireRight(
  authoring: Authoring,
  right: 'canCreate' | 'canEdit' | 'canOverwrite',
): void {
  if (authoring[right]) return;
  const what = {
    canCreate: 'create reports',
    canEdit: 'edit reports',
    canOverwrite: 'replace existing reports',
  }[right];
  throw new PortalError(
    'missing_permission',
    `You may not ${what}. Ask an administrator of your organization for this right.`,
  );
}

/** @throws `missing_permission` if the workspace does not exist yet or is not one of the caller's */
export function requireWorkspace(authoring: Authoring, workspaceId: string | undefined): void {
  const { workspaceIds } = authoring;
  if (workspaceIds === null || (workspaceId !== undefined && workspaceIds.has(workspaceId))) return;
  throw new PortalError(
    'missing_permission',
    'You may arrange reports in your own workspaces only. Choose one of them, or ask an administrator.',
  );
}
