import { Autocomplete, type AutocompleteProps } from '@mantine/core';

import { useAnswer } from '../api/queries.ts';
import { useOrganizationId } from '../layout/organization.ts';
import { useFormats } from '../messages/messages.ts';

/** Chooses a workspace by its name, or names a new one. */
export function WorkspaceField(props: AutocompleteProps & { value: string }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const workspaces = useAnswer('listWorkspaces', { organizationId });
  const names = [...new Set(workspaces.data?.workspaces.map(({ name }) => name))];
  return (
    <Autocomplete
      label={formatMessage('reports.workspace')}
      // A list with only the typed name would cover the buttons below.
      data={names.includes(props.value) ? [] : names}
      {...props}
    />
  );
}
