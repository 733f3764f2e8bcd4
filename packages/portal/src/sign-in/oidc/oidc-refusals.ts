import { refusalKey, signInRefusals } from '#admin/requests';

import type { Action } from '../../activity-log/service.ts';
import { recordRefusedSignIn } from '../../activity-log/service.ts';
import type { Database } from '../../db/connection/open.ts';
import type { RefusedError } from './provider.ts';
import { findEmail } from './store.ts';

/** What is known about a sign-in when it is refused. */
export interface Attempted {
  action: Extract<Action, 'signIn' | 'confirmWithOidc'>;
  /** `undefined` while the organization is unknown. */
  organizationId?: string | undefined;
  /** The value that the provider sent. */
  email?: unknown;
}

/**
 * Writes the reason of a refused sign-in into the organization's log. The entry names only e-mails of its
 * own users, because other people may belong to another organization.
 */
export async function recordReason(
  db: Database,
  { action, organizationId, email }: Attempted,
  code: 'sign_in_failed' | 'identity_provider_failed',
  { reason, detail, userId }: Pick<RefusedError, 'reason' | 'detail' | 'userId'>,
): Promise<void> {
  if (organizationId === undefined) return;
  const subject = await findEmail(db, organizationId, { userId, email });
  const details = {
    reason,
    advice: signInRefusals[refusalKey(reason)],
    ...(detail !== undefined && { detail }),
  };
  await recordRefusedSignIn(db, organizationId, { action, subject: subject ?? '', details }, code);
}
