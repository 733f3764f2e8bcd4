import { z } from 'zod';

import type { RemoteCatalogue, RemoteReport } from '#platform';

import {
  datasetList,
  reportList,
  workspaceList,
  type DatasetAnswer,
  type ReportAnswer,
} from './answers.ts';
import { clouds } from './clouds.ts';
import type { Connection } from './connection.ts';
import type { Rest } from './rest.ts';

/**
 * Lists the reports of the connection's workspaces: two requests for each workspace, and one for their
 * names.
 *
 * @throws `PowerbiError`
 */
export async function listCatalogue(
  rest: Rest,
  connection: Connection,
  signal: AbortSignal,
): Promise<RemoteCatalogue> {
  const names = await listNames(rest, signal);
  const found: Workspace[] = [];
  const unseen: string[] = [];
  for (const id of connection.workspaces) {
    const name = names.get(id.toLowerCase());
    if (name === undefined) unseen.push(id);
    else found.push(await readWorkspace(rest, { id, name }, signal));
  }
  return {
    ...assemble(found, connection),
    failure: unseen.length === 0 ? null : describeUnseen(unseen),
  };
}

function describeUnseen(ids: readonly string[]): string {
  const [noun, pronoun] = ids.length === 1 ? ['workspace', 'it'] : ['workspaces', 'them'];
  return `The application does not see the ${noun} ${ids.join(', ')}. Add the application there as a member, or remove ${pronoun} from the connection. Until then, the portal archives no report.`;
}

interface Workspace {
  id: string;
  name: string;
  reports: ReportAnswer[];
  datasets: DatasetAnswer[];
}

async function listNames(rest: Rest, signal: AbortSignal): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const size = 5000;
  for (let skip = 0; ; skip += size) {
    const { value } = await rest.askInTurn({
      method: 'GET',
      path: `/groups?$top=${size}&$skip=${skip}`,
      answer: workspaceList,
      signal,
    });
    const known = names.size;
    for (const { id, name } of value) names.set(id.toLowerCase(), name);
    // A page that repeats another one must not be asked for without end.
    if (value.length < size || names.size === known) return names;
  }
}

async function readWorkspace(
  rest: Rest,
  { id, name }: { id: string; name: string },
  signal: AbortSignal,
): Promise<Workspace> {
  const list = <Answer>(kind: string, answer: z.ZodType<Answer>) =>
    rest.askInTurn({ method: 'GET', path: `/groups/${id}/${kind}`, answer, signal });
  const reports = await list('reports', reportList);
  const datasets = await list('datasets', datasetList);
  return { id, name, reports: reports.value, datasets: datasets.value };
}

function assemble(
  workspaces: readonly Workspace[],
  { cloud }: Connection,
): Omit<RemoteCatalogue, 'failure'> {
  const datasets = new Map(
    workspaces.flatMap((workspace) =>
      workspace.datasets.map((dataset) => [dataset.id.toLowerCase(), dataset]),
    ),
  );
  const pages: ReadonlySet<string> = new Set(clouds[cloud].pages);
  const reports = new Map<string, RemoteReport>();
  const notes: string[] = [];
  for (const workspace of workspaces)
    for (const report of workspace.reports) {
      const problem = findProblem(report, datasets, pages);
      const id = report.id.toLowerCase();
      if (problem === undefined)
        reports.set(id, {
          id,
          name: report.name,
          workspace: { id: workspace.id.toLowerCase(), name: workspace.name },
          dataset: report.datasetId!.toLowerCase(),
          source: { workspaceId: workspace.id, embedUrl: report.embedUrl! },
        });
      else
        notes.push(
          `Report "${report.name}" of workspace "${workspace.name}" is not listed: ${problem}.`,
        );
    }
  const listed = [...reports.values()];
  const used = new Set(listed.map(({ dataset }) => dataset));
  return {
    reports: listed,
    datasets: [...datasets]
      .filter(([id]) => used.has(id))
      .map(([id, { id: modelId, name, needsIdentity, needsRoles }]) => ({
        id,
        name,
        rowAccess: needsRoles ? 'by-role' : 'everyone',
        source: { modelId, needsIdentity, needsRoles },
      })),
    notes,
  };
}

function findProblem(
  { datasetId, reportType, embedUrl }: ReportAnswer,
  datasets: ReadonlyMap<string, DatasetAnswer>,
  pages: ReadonlySet<string>,
): string | undefined {
  if (reportType === 'PaginatedReport' || !datasetId) return 'it is paginated, and has no model';
  if (!z.guid().safeParse(datasetId).success) return 'the id of its model is not a UUID';
  if (!datasets.has(datasetId.toLowerCase()))
    return 'its model is in none of the workspaces that the portal reads';
  const origin = URL.canParse(embedUrl ?? '') ? new URL(embedUrl!).origin : undefined;
  return origin !== undefined && pages.has(origin)
    ? undefined
    : "its address is not one of the cloud's hosts";
}
