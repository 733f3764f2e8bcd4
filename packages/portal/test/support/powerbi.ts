import { randomUUID } from 'node:crypto';

import { StandIn, type StandInWorkspace } from 'platform-powerbi/testing/stand-in';

import type { RemotePlatform } from '#platform';
import { connectionSchema, powerbiPlatform, type PowerbiOptions } from '#platform-powerbi';

import { connectPlatform, findConnection } from '../../src/remote-platforms/service.ts';
import type { TestOrganization } from './organization.ts';
import type { TestPortal } from './portal.ts';

/** Power BI and Microsoft Entra ID for a portal that starts after it. */
export class TestPowerbi implements AsyncDisposable {
  readonly standIn: StandIn;
  readonly platform: RemotePlatform;

  private constructor(standIn: StandIn, platform: RemotePlatform) {
    this.standIn = standIn;
    this.platform = platform;
  }

  /** @param readPortal returns the portal once it has started */
  static async start(
    readPortal: () => Pick<TestPortal, 'db'>,
    options: Partial<PowerbiOptions> = {},
  ): Promise<TestPowerbi> {
    const standIn = await new StandIn().start();
    const { addresses, fetch, secret } = standIn;
    const platform = powerbiPlatform({
      findSetUp: async (organizationId) => {
        const found = await findConnection(readPortal().db, organizationId, 'powerbi');
        return (
          found && {
            connection: connectionSchema.parse(found.settings),
            credential: { kind: 'secret', secret },
          }
        );
      },
      frames: { script: '/adapter.js' },
      addresses,
      fetch,
      wait: async () => {},
      ...options,
    });
    return new TestPowerbi(standIn, platform);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.standIn[Symbol.asyncDispose]();
  }

  /** Connects an organization to these workspaces, which Power BI then has. */
  async connect(
    { ctx }: Pick<TestOrganization, 'ctx'>,
    workspaces: StandInWorkspace[],
  ): Promise<void> {
    this.standIn.workspaces = workspaces;
    this.standIn.faults.clear();
    await connectPlatform(ctx, 'powerbi', {
      tenant: this.standIn.tenant,
      clientId: this.standIn.clientId,
      cloud: 'commercial',
      workspaces: workspaces.map(({ id }) => id),
      username: 'email',
      customData: false,
    });
  }
}

/** Workspaces with a model of two roles and some reports each. */
export const createWorkspaces = (count: number, reportCount: number): StandInWorkspace[] =>
  Array.from({ length: count }, (_, index) => {
    const model = { id: randomUUID(), name: `Model ${index}`, roles: ['East', 'West'] };
    const reports = Array.from({ length: reportCount }, (_each, at) => ({
      id: randomUUID(),
      name: `Report ${index}.${at}`,
      model: model.id,
    }));
    return { id: randomUUID(), name: `Workspace ${index}`, models: [model], reports };
  });
