import type { Context } from '../actor/actor.ts';
import { readAuthoring } from '../catalogue/authoring.ts';
import { workHere } from './content-processes.ts';
import { requireDefinition, saveDefinition } from './definitions.ts';
import type { ContentServices } from './service.ts';

/**
 * Changes name, workspace and description in the definition of a report. Its comments stay.
 *
 * @throws as `saveDefinition`
 */
export async function updateReport(
  ctx: Context,
  scope: ContentServices,
  input: { id: string; version: number; name: string; workspace: string; description: string },
): Promise<void> {
  const { id, version, name, workspace, description } = input;
  const { text } = await requireDefinition(ctx, await readAuthoring(ctx), 'report', id);
  const { worker = workHere, signal } = scope;
  const edit = { name, workspace, description };
  const changed = await worker.run(ctx, 'editNames', { text, edit }, signal);
  await saveDefinition(ctx, scope, { kind: 'report', id, version, text: changed });
}
