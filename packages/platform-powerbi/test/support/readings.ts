import type { OpenOptions, Reading } from '#platform';

import type { StandInModel, StandInReport, StandInWorkspace } from './stand-in.ts';

/** A reading of a report of the stand-in, as the portal makes it. */
export function readingOf(
  { id }: StandInReport,
  { id: workspaceId }: StandInWorkspace,
  model: StandInModel,
  given: Partial<Reading> & { roles?: string[] } = {},
): Reading {
  const { roles = [], ...rest } = given;
  const needsRoles = model.roles !== undefined;
  return {
    organizationId: 'acme',
    queue: '6e9f8a52-7f0c-4f44-9a55-0d0a3a3f6a10',
    reader: { email: ['ann@acme.example'], department: [], groups: [], companies: [] },
    report: {
      id,
      source: {
        workspaceId,
        embedUrl: `https://app.powerbi.com/reportEmbed?reportId=${id}&groupId=${workspaceId}`,
      },
    },
    dataset: {
      name: model.name,
      timeZone: 'UTC',
      source: {
        modelId: model.id,
        needsIdentity: needsRoles || (model.isLive ?? false),
        needsRoles,
      },
    },
    rows: needsRoles
      ? { access: 'by-role', roles: roles.map((name) => ({ name, definition: {} })) }
      : { access: 'everyone' },
    filters: [],
    unappliedFilters: 'note',
    purpose: 'read',
    ...rest,
  };
}

export const opening = (given: Partial<OpenOptions> = {}): OpenOptions => ({
  onTileFailure: (error) => {
    throw error;
  },
  signal: new AbortController().signal,
  ...given,
});
