import type { Connection } from '#platform-powerbi';

/** The command with which an operator connects an organization to Power BI, or changes its connection. */
export function writeAddCommand(slug: string, connection?: Connection): string {
  const { tenant, clientId, workspaces, cloud, username, customData } = connection ?? {};
  return [
    `portal platforms add powerbi -o ${slug}`,
    `--tenant ${tenant ?? 'TENANT-ID'}`,
    `--client-id ${clientId ?? 'APPLICATION-ID'}`,
    `--workspace ${workspaces?.join(' ') ?? 'WORKSPACE-ID'}`,
    ...(cloud === undefined || cloud === 'commercial' ? [] : [`--cloud ${cloud}`]),
    ...(username === 'id' ? ['--username id'] : []),
    ...(customData ? ['--custom-data'] : []),
  ].join(' \\\n  ');
}

/** The command with which an operator names the roles of a dataset. */
export const writeRolesCommand = (slug: string, datasetId: string): string =>
  `portal platforms set-roles ${datasetId} -o ${slug} --role East West`;
