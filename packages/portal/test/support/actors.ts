import type { ApiKeyActor } from '../../src/actor/actor.ts';

/** An API key without permissions. */
export const keyActor = (id: string): ApiKeyActor => ({
  kind: 'api-key',
  id,
  permissions: new Set(),
});
