import { readAuthoring } from '../catalogue/authoring.ts';
import { createReport, importReportFile } from '../content/create-report.ts';
import { listNames } from '../content/definition-names.ts';
import * as definitions from '../content/definitions.ts';
import type { ItemKind } from '../content/items.ts';
import { presentMistake } from '../content/present-mistake.ts';
import type { ContentServices } from '../content/service.ts';
import { PortalError } from '../errors.ts';
import { previewReport, previewValues, type PreviewServices } from '../viewing/preview.ts';
import { readerViewSchema } from '../viewing/reader-view.ts';
import type { AdminHandlers } from './mount.ts';

export const contentAdminRoutes = (
  scope: ContentServices,
  preview: Omit<PreviewServices, 'signal'>,
) =>
  ({
    readDefinition: async ({ ctx, signal }, input) => {
      const { kind, id } = readItem(input);
      const { text, version } = await definitions.readDefinition(ctx, kind, id);
      const names = await listNames(ctx, { ...scope, signal }, await readAuthoring(ctx), {
        kind,
        id,
      });
      return { text, version, names };
    },
    saveDefinition: async ({ ctx, signal }, { text, version, ...input }) =>
      definitions.saveDefinition(ctx, { ...scope, signal }, { ...readItem(input), text, version }),
    checkDefinition: async ({ ctx, signal }, { text, ...input }) => {
      const item = readItem(input);
      const checked = await definitions.checkDefinition(
        ctx,
        { ...scope, signal },
        { ...item, text },
      );
      const authoring = await readAuthoring(ctx);
      const { report } = checked;
      const names = await listNames(ctx, { ...scope, signal }, authoring, item, report?.dataset);
      return { mistakes: checked.mistakes.map(presentMistake(checked.file)), names };
    },
    listDefinitionVersions: async ({ ctx }, input) => {
      const { kind, id } = readItem(input);
      const versions = await definitions.listVersions(ctx, kind, id);
      return {
        versions: versions.map((row) => ({
          version: row.version,
          savedAt: row.created_at.toISOString(),
          savedBy: row.author,
          savedFrom: row.origin,
        })),
      };
    },
    readDefinitionVersion: async ({ ctx }, { version, ...input }) => {
      const { kind, id } = readItem(input);
      // Text that is not a number matches no version.
      const number = /^\d{1,9}$/.test(version) ? Number(version) : -1;
      return { text: await definitions.readVersion(ctx, kind, id, number) };
    },
    previewReport: async ({ ctx, signal }, { view, ...input }) =>
      previewReport(ctx, { ...preview, signal }, { ...input, view: readView(view) }),
    previewValues: async ({ ctx, signal }, { view, ...input }) =>
      previewValues(ctx, { ...preview, signal }, { ...input, view: readView(view) }),
    createReport: async ({ ctx, signal }, input) => ({
      id: await createReport(ctx, { ...scope, signal }, input),
    }),
    importReportFile: async ({ ctx, signal }, input) => ({
      id: await importReportFile(ctx, { ...scope, signal }, input),
    }),
  }) satisfies Partial<AdminHandlers>;

function readItem({ kind, itemId: id }: { kind: string; itemId: string }): {
  kind: ItemKind;
  id: string;
} {
  if (kind === 'reports') return { kind: 'report', id };
  if (kind === 'datasets') return { kind: 'dataset', id };
  throw new PortalError('not_found', 'This definition does not exist. Check the address.');
}

/** @throws `invalid_request` */
function readView(given: unknown) {
  if (given === undefined) return undefined;
  const { data, error } = readerViewSchema.safeParse(given);
  if (!error) return data;
  throw new PortalError(
    'invalid_request',
    'The view of the preview is not valid. Load the page again.',
  );
}
