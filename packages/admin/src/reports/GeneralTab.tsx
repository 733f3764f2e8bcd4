import { Anchor, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';

import { useAnswer, useChange } from '../api/queries.ts';
import { WorkspaceField } from '../items/WorkspaceField.tsx';
import { CopyText } from '../kit/CopyText.tsx';
import { notify } from '../kit/notify.ts';
import { SaveFailure } from '../kit/SaveFailure.tsx';
import { useFormats } from '../messages/messages.ts';
import type { AdminReport } from '../requests/reports.ts';
import { useOrganizationId } from '../session/organization.ts';
import { Origin } from './Origin.tsx';

/** Id, name, workspace and description. */
export function GeneralTab({ report }: { report: AdminReport }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const current = useAnswer('readReport', { organizationId, reportId: report.id });
  // The version that the values come from. A later one must not be overwritten unseen.
  const [base, setBase] = useState(report);
  const [name, setName] = useState(report.name);
  const [workspace, setWorkspace] = useState(report.workspaceName);
  const [description, setDescription] = useState(report.description ?? '');
  const showVersion = (next: AdminReport) => {
    setBase(next);
    setName(next.name);
    setWorkspace(next.workspaceName);
    setDescription(next.description ?? '');
  };
  const save = useChange('updateReport', (saved) => {
    setBase(saved);
    notify(formatMessage('reports.saved'));
  });
  const isReadOnly = !report.canEdit;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const { version } = base;
        save.mutate({ organizationId, reportId: report.id, version, name, workspace, description });
      }}
    >
      <Stack maw={560}>
        <div>
          <Text size="sm" fw={500}>
            {formatMessage('reports.id')}
          </Text>
          <CopyText value={report.id} label={formatMessage('reports.id')} />
        </div>
        <Text size="sm">
          <Anchor
            component={Link}
            href={`/organizations/${organizationId}/datasets/${report.dataset.id}`}
          >
            {formatMessage('reports.of_dataset', { name: report.dataset.name })}
          </Anchor>
        </Text>
        <Origin item={report} />
        {report.product !== null && report.productUrl !== null && (
          <Text size="sm">
            <Anchor href={report.productUrl} target="_blank" rel="noreferrer">
              {formatMessage('reports.open_in', { product: report.product })}
            </Anchor>
          </Text>
        )}
        <SaveFailure
          error={save.error}
          onLoad={async () => {
            const { data, isSuccess } = await current.refetch();
            // Keep the typed values; the page shows the error.
            if (!isSuccess) return;
            showVersion(data);
            save.reset();
          }}
        />
        <TextInput
          label={formatMessage('reports.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          readOnly={isReadOnly}
          required
        />
        <WorkspaceField value={workspace} onChange={setWorkspace} readOnly={isReadOnly} required />
        <Textarea
          label={formatMessage('reports.description')}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
          readOnly={isReadOnly}
          autosize
          minRows={2}
        />
        {!isReadOnly && (
          <Group>
            <Button type="submit" loading={save.isPending}>
              {formatMessage('action.save')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
