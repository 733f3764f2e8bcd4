import type { Context } from '../../src/actor/actor.ts';
import type { TestOrganization } from './organization.ts';
import type { TestPortal } from './portal.ts';

/** One of two organizations whose items have the same IDs. */
export interface Side {
  organization: TestOrganization;
  ctx: Context;
  /** The name of the organization, which the texts of its items contain. */
  own: string;
}

export const listSides = ({ acme, globex }: TestPortal): Side[] =>
  [acme, globex].map((organization) => ({
    organization,
    ctx: organization.ctx,
    own: new URL(organization.address).hostname.split('.')[0]!,
  }));
