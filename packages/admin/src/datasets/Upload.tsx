import { FileInput, List, Loader, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { call } from '../api/call.ts';
import { useChange } from '../api/queries.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { useFormats } from '../messages/messages.ts';
import { WorkspaceField } from '../reports/WorkspaceField.tsx';
import { maxUploadBytes, type UploadedFile } from '../requests/datasets.ts';
import { useOrganizationId } from '../session/organization.ts';
import { NumberReadings } from './NumberReadings.tsx';
import { SampleTable } from './SampleTable.tsx';

/** Uploads a data file, shows a sample, and creates a dataset and a first report from it. */
export function Upload({ onClose }: { onClose: () => void }) {
  const { formatMessage, formatNumber } = useFormats();
  const organizationId = useOrganizationId();
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState('');
  const [reading, setReading] = useState<string | null>(null);
  const [workspace, setWorkspace] = useState(formatMessage('datasets.workspace.default'));
  const send = useMutation({
    mutationFn: (upload: File) =>
      call('uploadDataFile', { organizationId, fileName: upload.name, upload }),
    onSuccess: (uploaded: UploadedFile) => setName(uploaded.name),
  });
  const create = useChange('importDataFile', ({ datasetId, reportId }) =>
    navigate(
      reportId === null
        ? `/organizations/${organizationId}/datasets/${datasetId}`
        : `/organizations/${organizationId}/reports/${reportId}/edit#/definition`,
    ),
  );
  const uploaded = send.data;
  const interpretations = uploaded?.questions[0]?.interpretations ?? [];
  const csv = reading === null ? undefined : interpretations[Number(reading)]?.options;
  const mustChooseReading = interpretations.length > 0;
  return (
    <Dialog
      title={formatMessage('datasets.upload')}
      submit={formatMessage('datasets.create')}
      isBusy={create.isPending}
      isDisabled={!uploaded || (mustChooseReading && !csv)}
      error={send.error ?? create.error}
      onClose={onClose}
      onSubmit={() => {
        if (!uploaded || (mustChooseReading && !csv)) return;
        const { uploadId } = uploaded;
        create.mutate({ organizationId, uploadId, name, workspace, ...(csv && { csv }) });
      }}
    >
      <FileInput
        data-autofocus
        label={formatMessage('datasets.file')}
        description={formatMessage('datasets.file.help', {
          size: formatNumber(maxUploadBytes / 1024 / 1024),
        })}
        placeholder={formatMessage('field.file')}
        accept=".csv,.tsv,.txt,.xlsx,.xlsm,.parquet"
        value={file}
        onChange={(next) => {
          setFile(next);
          setReading(null);
          send.reset();
          if (next) send.mutate(next);
        }}
      />
      {send.isPending && <Loader aria-label={formatMessage('datasets.reading')} />}
      {uploaded && (
        <>
          <Text>
            {formatMessage('datasets.read', {
              rows: formatNumber(uploaded.sample.rowCount),
              columns: formatNumber(uploaded.columns.length),
            })}
          </Text>
          {uploaded.hints.length > 0 && (
            <List size="sm">
              {uploaded.hints.map((hint) => (
                <List.Item key={hint}>{hint}</List.Item>
              ))}
            </List>
          )}
          {mustChooseReading && (
            <NumberReadings
              interpretations={interpretations}
              value={reading}
              onChange={setReading}
            />
          )}
          {uploaded.sample.rowCount > 0 && (
            <SampleTable sample={uploaded.sample} columns={uploaded.columns} />
          )}
          <TextInput
            label={formatMessage('reports.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
          />
          <WorkspaceField value={workspace} onChange={setWorkspace} required />
        </>
      )}
    </Dialog>
  );
}
