import type { Permission, UserRole } from '@portal-embed/contract';

import type { Database } from '../db/connection/open.ts';

/** A program that sent an API key. */
export interface ApiKeyActor {
  kind: 'api-key';
  id: string;
  permissions: ReadonlySet<Permission>;
}

/** A person at the portal's command line, who may do everything. */
export interface OperatorActor {
  kind: 'operator';
  /** Name in the activity log. */
  name: string;
}

/** A user who signed in to the administration portal. */
export interface UserActor {
  kind: 'user';
  id: string;
  email: string;
  /** Read on each request. */
  role: UserRole;
}

export type Actor = ApiKeyActor | OperatorActor | UserActor;

/** Who calls a service function, and for which organization. */
export interface Context<Caller extends Actor = Actor> {
  db: Database;
  organizationId: string;
  /** Origin of the service itself. */
  publicUrl: string;
  actor: Caller;
  /**
   * Looks the API key up again. Other actors have none.
   *
   * @throws `invalid_api_key` if the key has ended since
   */
  confirmKey?: () => Promise<unknown>;
}

/** @param scope.operator name in the activity log; default `operator` */
export function operatorContext(
  scope: Pick<Context, 'db' | 'organizationId' | 'publicUrl'> & { operator?: string },
): Context<OperatorActor> {
  const { operator: name = 'operator', ...rest } = scope;
  return { ...rest, actor: { kind: 'operator', name } };
}

/** The actor as the activity log stores it. */
export const toActorColumns = (actor: Actor) => ({
  apiKeyId: actor.kind === 'api-key' ? actor.id : undefined,
  operator: actor.kind === 'operator' ? actor.name : undefined,
  userId: actor.kind === 'user' ? actor.id : undefined,
  userEmail: actor.kind === 'user' ? actor.email : undefined,
});

/** A key is named by its id, as its name can change. */
export function nameActor(actor: Actor): string {
  if (actor.kind === 'user') return actor.email;
  return actor.kind === 'operator' ? actor.name : actor.id;
}
