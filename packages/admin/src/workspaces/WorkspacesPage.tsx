import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';

import { useAnswer, useChange } from '../api/queries.ts';
import { useHolderLabel } from '../holders/use-holder-label.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { Empty } from '../kit/Empty.tsx';
import { Failure } from '../kit/Failure.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { Page } from '../kit/Page.tsx';
import { Picker } from '../kit/Picker.tsx';
import { useSearch } from '../kit/use-search.ts';
import { without } from '../kit/without.ts';
import { useFormats } from '../messages/messages.ts';
import { HolderList } from '../reports/HolderList.tsx';
import type { AdminWorkspace } from '../requests/workspaces.ts';
import { useOrganizationId } from '../session/organization.ts';

/** The role whose users arrange the reports of their workspaces. */
const workspaceContributor = 4;

/** The folders of reports, and who contributes to each. */
export function WorkspacesPage() {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const workspaces = useAnswer('listWorkspaces', { organizationId });
  const [isNew, setIsNew] = useState(false);
  const create = <Button onClick={() => setIsNew(true)}>{formatMessage('workspaces.new')}</Button>;
  return (
    <Page title={formatMessage('workspaces.title')} actions={create}>
      {isNew && <NewWorkspace onClose={() => setIsNew(false)} />}
      <Text maw={640}>{formatMessage('workspaces.text')}</Text>
      <Loaded query={workspaces}>
        {({ workspaces: list }) =>
          list.length === 0 ? (
            <Empty title={formatMessage('workspaces.empty')} action={create}>
              {formatMessage('workspaces.empty.text')}
            </Empty>
          ) : (
            <Stack gap="xl" maw={640}>
              {list.map((workspace) => (
                <Workspace key={workspace.id} workspace={workspace} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Page>
  );
}

function NewWorkspace({ onClose }: { onClose: () => void }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [name, setName] = useState('');
  const create = useChange('createWorkspace', onClose);
  return (
    <Dialog
      title={formatMessage('workspaces.new')}
      submit={formatMessage('reports.new.submit')}
      isBusy={create.isPending}
      error={create.error}
      onClose={onClose}
      onSubmit={() => create.mutate({ organizationId, name })}
    >
      <TextInput
        data-autofocus
        label={formatMessage('reports.name')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
      />
    </Dialog>
  );
}

function Workspace({ workspace }: { workspace: AdminWorkspace }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { id, name, reports, contributors } = workspace;
  const change = useChange('changeContributor');
  const remove = useChange('deleteWorkspace', () =>
    notify(formatMessage('workspaces.deleted', { name })),
  );
  const link = (userId: string, isLinked: boolean) =>
    change.mutate({ organizationId, workspaceId: id, userId, isLinked });
  const error = change.error ?? remove.error;
  return (
    <section aria-labelledby={`workspace-${id}`}>
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4" id={`workspace-${id}`} className="breakable">
            {name}
          </Title>
          <Text size="sm" c="dimmed">
            {formatMessage('workspaces.reports', { count: reports })}
          </Text>
        </div>
        {reports === 0 && (
          <Button
            size="compact-sm"
            variant="default"
            loading={remove.isPending}
            onClick={() => remove.mutate({ organizationId, workspaceId: id })}
            aria-label={formatMessage('workspaces.delete_name', { name })}
          >
            {formatMessage('workspaces.delete')}
          </Button>
        )}
      </Group>
      <ContributorChoice workspace={workspace} onChoose={(userId) => link(userId, true)} />
      {error && <Failure error={error} />}
      {contributors.length > 0 && (
        <HolderList
          holders={contributors.map(({ id: userId, name: userName, email }) => ({
            kind: 'user',
            id: userId,
            name: userName,
            email,
          }))}
          label={formatMessage('workspaces.contributors', { name })}
          isBusy={change.isPending}
          onRemove={(holder) => link(holder.id, false)}
        />
      )}
    </section>
  );
}

/** Offers the users whom the service accepts as contributors. */
function ContributorChoice({
  workspace: { name, contributors },
  onChoose,
}: {
  workspace: AdminWorkspace;
  onChoose: (userId: string) => void;
}) {
  const { formatMessage } = useFormats();
  const labelOf = useHolderLabel();
  const organizationId = useOrganizationId();
  const search = useSearch();
  const found = useAnswer('listUsers', {
    organizationId,
    search: search.search,
    role: workspaceContributor,
  });
  return (
    <Picker
      label={formatMessage('workspaces.add', { name })}
      placeholder={formatMessage('holder.search')}
      noneFound={formatMessage('workspaces.add.none')}
      search={search}
      found={found}
      listChoices={({ items }) =>
        without(items, contributors).map((user) => ({ value: user.id, label: labelOf(user) }))
      }
      onChoose={onChoose}
    />
  );
}
