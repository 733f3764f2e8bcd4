import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useState } from 'react';

import { useAnswer } from '../api/queries.ts';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';
import { useRights } from '../session/rights.ts';

type WorkspaceFieldProps = AutocompleteProps & {
  value: string;
  onChange: (name: string) => void;
};

/** Chooses a workspace by its name, or names a new one. */
export function WorkspaceField({ onChange, ...props }: WorkspaceFieldProps) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const isLimited = useRights()?.isLimited ?? false;
  const whyNew = isLimited ? 'reports.workspace.not_yours' : 'reports.workspace.new';
  const workspaces = useAnswer('listWorkspaces', { organizationId });
  const names = [...new Set(workspaces.data?.workspaces.map(({ name }) => name))];
  const isKnown = names.includes(props.value);
  const isNew = workspaces.isSuccess && !isKnown && props.value.trim() !== '' && !props.readOnly;
  const [isTyped, setIsTyped] = useState(false);
  return (
    <Autocomplete
      label={formatMessage('reports.workspace')}
      description={isNew && formatMessage(whyNew)}
      // A list with only the typed name would cover the buttons below.
      data={isKnown && isTyped ? [] : names}
      // A proposed name must not hide the others.
      {...(!isTyped && { filter: ({ options }) => options })}
      onChange={(name) => {
        setIsTyped(true);
        onChange(name);
      }}
      {...props}
    />
  );
}
