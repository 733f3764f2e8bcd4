import type { PowerbiConnection } from '../requests/platforms.ts';

/** The command with which an operator connects an organization, or changes its connection. */
export function writeAddCommand(organization: string, connection?: PowerbiConnection): string {
  const { tenant, clientId, workspaces, cloud, username, customData } = connection ?? {};
  return [
    `portal platforms add powerbi -o ${organization}`,
    `--tenant ${tenant ?? 'TENANT-ID'}`,
    `--client-id ${clientId ?? 'APPLICATION-ID'}`,
    `--workspace ${workspaces?.map(({ id }) => id).join(' ') ?? 'WORKSPACE-ID'}`,
    ...(cloud === undefined || cloud === 'commercial' ? [] : [`--cloud ${cloud}`]),
    ...(username === 'id' ? ['--username id'] : []),
    ...(customData ? ['--custom-data'] : []),
  ].join(' \\\n  ');
}
