import { FileInput, NativeSelect, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { AdminError } from '../api/admin-error.ts';
import { useAnswer, useChange } from '../api/queries.ts';
import { WorkspaceField } from '../items/WorkspaceField.tsx';
import { Dialog } from '../kit/Dialog.tsx';
import { useFormats } from '../messages/messages.ts';
import { useOrganizationId } from '../session/organization.ts';
import { useRights } from '../session/rights.ts';

/** Creates a report from a dataset or a definition file, or replaces one by a definition file. */
export function NewReport({
  onClose,
  datasetId: given,
}: {
  onClose: () => void;
  datasetId?: string;
}) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const [, navigate] = useLocation();
  const found = useAnswer('findDatasets', { organizationId });
  const datasets = found.data?.datasets.filter(({ product }) => product === null) ?? [];
  const rights = useRights();
  const canCreate = rights?.canCreate ?? true;
  const canOverwrite = rights?.canOverwrite ?? true;
  const [chosenTab, setTab] = useState<'dataset' | 'file'>('dataset');
  const tab = canCreate ? chosenTab : 'file';
  const [datasetId, setDatasetId] = useState(given ?? '');
  const [name, setName] = useState('');
  const [workspace, setWorkspace] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const open = ({ id }: { id: string }) =>
    navigate(`/organizations/${organizationId}/reports/${id}/edit#/definition`);
  const create = useChange('createReport', open);
  const importFile = useChange('importReportFile', open);
  const replaces =
    importFile.error instanceof AdminError && importFile.error.code === 'content_conflict';

  const submit = async () => {
    if (tab === 'dataset')
      create.mutate({
        organizationId,
        name,
        workspace,
        datasetId: datasetId || (datasets[0]?.id ?? ''),
      });
    else if (file)
      importFile.mutate({ organizationId, fileName: file.name, text: await file.text(), replaces });
  };
  const { error, isPending } = tab === 'dataset' ? create : importFile;
  return (
    <Dialog
      title={formatMessage(canCreate ? 'reports.new' : 'reports.replace')}
      isDisabled={replaces && !canOverwrite}
      submit={formatMessage(replaces ? 'reports.new.replace' : 'reports.new.submit')}
      isBusy={isPending}
      error={replaces ? undefined : error}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <Tabs value={tab} onChange={(next) => setTab(next === 'file' ? 'file' : 'dataset')}>
        <Tabs.List mb="md">
          {canCreate && <Tabs.Tab value="dataset">{formatMessage('reports.new.dataset')}</Tabs.Tab>}
          <Tabs.Tab value="file">{formatMessage('reports.new.file')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="dataset">
          {found.data && datasets.length === 0 ? (
            <Text>
              {formatMessage(
                rights?.isLimited ? 'reports.new.no_dataset.limited' : 'reports.new.no_dataset',
              )}
            </Text>
          ) : (
            <Stack>
              <TextInput
                data-autofocus
                label={formatMessage('reports.name')}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                required={tab === 'dataset'}
              />
              <NativeSelect
                label={formatMessage('reports.dataset')}
                value={datasetId}
                onChange={(event) => setDatasetId(event.currentTarget.value)}
                data={datasets.map(({ id, name: label }) => ({
                  value: id,
                  label,
                }))}
              />
              <WorkspaceField
                value={workspace}
                onChange={setWorkspace}
                required={tab === 'dataset'}
              />
            </Stack>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="file">
          <FileInput
            label={formatMessage('reports.new.choose')}
            description={formatMessage('reports.new.choose.help')}
            placeholder={formatMessage('field.file')}
            accept=".yaml,.yml"
            value={file}
            onChange={(next) => {
              setFile(next);
              importFile.reset();
            }}
            required={tab === 'file'}
          />
          {replaces && (
            <Text role="alert" mt="sm">
              {formatMessage(canOverwrite ? 'reports.new.exists' : 'reports.new.not_replaced', {
                file: file?.name ?? '',
              })}
            </Text>
          )}
        </Tabs.Panel>
      </Tabs>
    </Dialog>
  );
}
