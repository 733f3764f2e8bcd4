import { randomUUID } from 'node:crypto';

import { inTransaction, type Database } from '../db/connection/open.ts';
import { PortalError } from '../errors.ts';
import { createToken } from '../secrets.ts';
import * as store from './operators-store.ts';
import { ensureAccount, saveInvitation } from './store.ts';

/**
 * Invites an operator, who sees all organizations, and returns the token of the link. Creates the
 * operator if there is none with this e-mail; otherwise the link sets another password.
 */
export function inviteOperator(
  db: Database,
  { email, name }: { email: string; name?: string | undefined },
): Promise<{ token: string }> {
  const token = createToken();
  return inTransaction(db, async (transaction) => {
    const known = await store.findOperator(transaction, email);
    const operatorId =
      known?.id ??
      (await store.insertOperator(transaction, { id: randomUUID(), email, name: name ?? email }));
    const accountId = await ensureAccount(transaction, { operatorId });
    await saveInvitation(transaction, { accountId, token });
    return { token };
  });
}

export const listOperators = (db: Database): Promise<store.OperatorRow[]> =>
  store.listOperators(db);

/** Deletes an operator and ends their sessions. */
export async function deleteOperator(db: Database, email: string): Promise<void> {
  if (await store.deleteOperator(db, email)) return;
  throw new PortalError(
    'user_not_found',
    `There is no operator ${email}. List them with \`portal operators list\`.`,
  );
}
