import { refusalKey, signInRefusals } from '#wire/admin/refusals.ts';

import type { Action } from '../../activity-log/service.ts';
import { recordRefusedSignIn } from '../../activity-log/service.ts';
import type { Database } from '../../db/connection/open.ts';
import type { RefusedError } from './provider.ts';
import { findEmail } from './store.ts';

/** What is known about a sign-in when it is refused. */
export interface Attempted {
  action: Extract<Action, 'signIn' | 'confirmWithOidc'>;
  /** `undefined` as long as it is unknown at which organization somebody signs in. */
  organizationId?: string | undefined;
  /** As the provider sent it. */
  email?: unknown;
}

/**
 * Writes why a sign-in was refused into the log of its organization. Only e-mails of its own users are
 * named: others may be people of another organization.
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
