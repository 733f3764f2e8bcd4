import { parseDocument } from 'yaml';

import type { Context } from '../auth/actor.ts';
import { readAuthoring } from '../reports/authoring.ts';
import { requireDefinition, saveDefinition } from './definitions.ts';
import type { DataScope } from './service.ts';

/**
 * Changes name, workspace and description in the definition of a report. Its comments stay.
 *
 * @throws as `saveDefinition`
 */
export async function updateReport(
  ctx: Context,
  scope: DataScope,
  input: { id: string; version: number; name: string; workspace: string; description: string },
): Promise<void> {
  const { id, version, name, workspace, description } = input;
  const { text } = await requireDefinition(ctx, await readAuthoring(ctx), 'report', id);
  const document = parseDocument(text);
  document.set('name', name);
  document.set('workspace', workspace);
  if (description === '') document.delete('description');
  else document.set('description', description);
  const changed = document.toString({ lineWidth: 100 });
  await saveDefinition(ctx, scope, { kind: 'report', id, version, text: changed });
}
