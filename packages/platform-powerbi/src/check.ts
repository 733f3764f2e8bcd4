import type { z } from 'zod';

import type { Finding } from '#platform';

import {
  datasetList,
  features,
  reportList,
  workspaceList,
  type WorkspaceAnswer,
} from './answers.ts';
import type { Connection } from './connection.ts';
import { generateToken } from './embed-token.ts';
import { PowerbiError } from './errors.ts';
import type { Rest } from './rest.ts';

/** Tells whether sign-in, the rights in each workspace and tokens work, and what to do. */
export async function checkConnection(
  rest: Rest,
  connection: Connection,
  signal: AbortSignal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  try {
    const { value } = await rest.askInTurn({
      method: 'GET',
      path: '/groups?$top=5000&$skip=0',
      answer: workspaceList,
      signal,
    });
    findings.push({ level: 'ok', text: 'sign-in works' });
    const seen = new Map(value.map((workspace) => [workspace.id.toLowerCase(), workspace]));
    for (const id of connection.workspaces) {
      const workspace = seen.get(id.toLowerCase());
      if (!workspace)
        findings.push({
          level: 'error',
          text: `workspace ${id}: the application is not in it; add it as a member`,
        });
      else findings.push(await checkWorkspace(rest, workspace, signal));
    }
    findings.push(...(await readTrial(rest, signal)));
  } catch (error) {
    if (!(error instanceof PowerbiError)) throw error;
    findings.push({ level: 'error', text: error.message });
  }
  return findings;
}

async function checkWorkspace(
  rest: Rest,
  { id, name, isOnDedicatedCapacity }: WorkspaceAnswer,
  signal: AbortSignal,
): Promise<Finding> {
  try {
    const list = <Answer>(kind: string, answer: z.ZodType<Answer>) =>
      rest.askInTurn({ method: 'GET', path: `/groups/${id}/${kind}`, answer, signal });
    const reports = await list('reports', reportList);
    const models = await list('datasets', datasetList);
    const open = new Set(
      models.value
        .filter((model) => !model.needsIdentity && !model.needsRoles)
        .map((model) => model.id),
    );
    // A token of a model with row-level security would need a reader.
    const tried = reports.value.find(({ datasetId }) => datasetId && open.has(datasetId));
    if (tried)
      await generateToken(
        (call) => rest.askInTurn(call),
        { reportId: tried.id, modelId: tried.datasetId!, identity: undefined },
        signal,
      );
    const count = `${reports.value.length} ${reports.value.length === 1 ? 'report' : 'reports'}`;
    const tokens = tried ? ', tokens work' : '';
    return isOnDedicatedCapacity === false
      ? {
          level: 'warning',
          text: `workspace "${name}": ${count}${tokens}; it has no capacity, so its tokens are trial tokens, which run out. Assign it to a capacity`,
        }
      : { level: 'ok', text: `workspace "${name}": ${count}${tokens}` };
  } catch (error) {
    if (!(error instanceof PowerbiError)) throw error;
    return { level: 'error', text: `workspace "${name}": ${error.message}` };
  }
}

/** Microsoft tells the used share as a percentage. */
async function readTrial(rest: Rest, signal: AbortSignal): Promise<Finding[]> {
  try {
    const answer = await rest.askInTurn({
      method: 'GET',
      path: '/availableFeatures',
      answer: features,
      signal,
    });
    const trial = answer.features.find(({ name }) => name === 'embedTrial');
    const used = trial?.additionalInfo?.Usage ?? trial?.additionalInfo?.usage;
    if (used === undefined) return [];
    const text = `${used} % of the trial tokens are used`;
    return used >= 80
      ? [{ level: 'warning', text: `${text}. Assign the workspaces to a capacity` }]
      : [{ level: 'ok', text }];
  } catch (error) {
    // It only informs.
    if (error instanceof PowerbiError) return [];
    throw error;
  }
}
