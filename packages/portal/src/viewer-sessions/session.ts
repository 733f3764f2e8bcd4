import type { CustomFilter, DisplayFlags } from '@portal-embed/contract';
import { sql, type Expression } from 'kysely';

import { PortalError } from '../errors.ts';
import { isAdministratorSession } from '../sign-in/store.ts';

/** A live session, with the values of its identity URL. */
export interface Session {
  bearerHash: Buffer;
  organizationId: string;
  userId: string;
  /** The e-mail as given at the mint. */
  userEmail: string;
  userName: string;
  /** The only report that the session may open; `null` for all reports of its user. */
  reportId: string | null;
  display: Required<DisplayFlags>;
  customFilters: CustomFilter[];
  /** The administrator or operator who views the portal as the user; `null` for the user. */
  viewedBy: { id: string; email: string } | null;
}

/** Values that a session copies from its identity URL, and the name of its user. */
export interface SessionRow {
  organization_id: string;
  user_id: string;
  user_email: string;
  user_name: string;
  address: string;
  report_id: string | null;
  hide_menu: boolean;
  hide_navbar: boolean;
  hide_sidebar: boolean;
  custom_filters: CustomFilter[];
  actor_id: string | null;
  actor_email: string | null;
}

export const toSession = (row: SessionRow, bearerHash: Buffer): Session => ({
  bearerHash,
  organizationId: row.organization_id,
  userId: row.user_id,
  userEmail: row.user_email,
  userName: row.user_name,
  reportId: row.report_id,
  display: {
    hideMenu: row.hide_menu,
    hideNavbar: row.hide_navbar,
    hideSidebar: row.hide_sidebar,
  },
  customFilters: row.custom_filters,
  viewedBy:
    row.actor_id !== null && row.actor_email !== null
      ? { id: row.actor_id, email: row.actor_email }
      : null,
});

/** Columns that a row of `portal_sessions` copies from its row of `identity_urls`. */
export const copiedColumns = sql`organization_id, api_key_id, user_id, user_email, address, report_id,
  hide_menu, hide_navbar, hide_sidebar, custom_filters, actor_session_id, actor_id, actor_email`;

/** False if another organization has registered the address since the mint. */
export const isOwnAddress = (
  table: 'identity_urls' | 'portal_sessions',
) => sql<boolean>`NOT EXISTS (
  SELECT FROM organization_addresses AS registered
  WHERE registered.origin = ${sql.ref(`${table}.address`)}
    AND registered.organization_id <> ${sql.ref(`${table}.organization_id`)}
)`;

/** False if the key of the mint was revoked, unless the operator kept its URLs and sessions. */
export const isNotEndedWithKey = (
  table: 'identity_urls' | 'portal_sessions',
) => sql<boolean>`NOT EXISTS (
  SELECT FROM api_keys
  WHERE api_keys.id = ${sql.ref(`${table}.api_key_id`)} AND api_keys.sessions_ended
)`;

/** False if the administrator who views the portal as the user has signed out, or is no longer an administrator. */
export const isActorSignedIn = (table: 'identity_urls' | 'portal_sessions') => sql<boolean>`(
  ${sql.ref(`${table}.actor_session_id`)} IS NULL
  OR ${isAdministratorSession(sql.ref(`${table}.actor_session_id`))}
)`;

/**
 * Refuses changes of the user's data, and exports, while someone else views the portal as the user.
 *
 * @throws `read_only_session`
 */
export function requireOwnView({ viewedBy }: Pick<Session, 'viewedBy'>): void {
  if (viewedBy === null) return;
  throw new PortalError('read_only_session', 'You view the portal as another user.', {
    advice: 'Open the portal as yourself.',
  });
}

/** Whether the organization lists the origin as one that may embed its pages. */
export const isEmbedOrigin = (
  table: 'identity_urls' | 'portal_sessions',
  origin: Expression<unknown>,
) => sql<boolean>`EXISTS (
  SELECT FROM organization_embed_origins AS listed
  WHERE listed.organization_id = ${sql.ref(`${table}.organization_id`)} AND listed.origin = ${origin}
)`;
