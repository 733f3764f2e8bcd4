import { FileInput, List, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';

import { call } from '../api/call.ts';
import { latestError } from '../api/queries.ts';
import { useTask } from '../api/use-task.ts';
import { WorkspaceField } from '../items/WorkspaceField.tsx';
import { Dialog } from '../kit/Dialog.tsx';
import { useFormats } from '../messages/messages.ts';
import { maxUploadBytes, type FileReading, type UploadedFile } from '../requests/data-files.ts';
import type { AdminAnswer } from '../requests/endpoints.ts';
import type { Named } from '../requests/lists.ts';
import { useOrganizationId } from '../session/organization.ts';
import { Existing } from './Existing.tsx';
import { FileOptions } from './FileOptions.tsx';
import { addAnswers, isAnswered, Questions, type Answers } from './Questions.tsx';
import { ReplaceData } from './ReplaceData.tsx';
import { SampleTable } from './SampleTable.tsx';
import { TaskStatus } from './TaskProgress.tsx';

/** Uploads a data file, asks what it leaves open, and creates a dataset and a first report from it. */
export function Upload({ onClose }: { onClose: () => void }) {
  const { formatMessage, formatNumber } = useFormats();
  const organizationId = useOrganizationId();
  const client = useQueryClient();
  const [, navigate] = useLocation();
  const [file, setFile] = useState<File | null>(null);
  const [uploaded, setUploaded] = useState<UploadedFile | null>(null);
  const [reading, setReading] = useState<FileReading>({});
  const [answers, setAnswers] = useState<Answers>({});
  const [name, setName] = useState('');
  const [workspace, setWorkspace] = useState(formatMessage('datasets.workspace.default'));
  const send = useTask('uploadDataFile');
  const describe = useTask('describeUpload');
  const create = useTask('importDataFile');
  const isRunning = [send, describe, create].some(({ isPending }) => isPending);
  const remove = () => {
    send.cancel();
    describe.cancel();
    create.cancel();
    if (uploaded)
      void call('removeUpload', { organizationId, uploadId: uploaded.uploadId }).catch(() => {});
    setUploaded(null);
  };
  const show = (answer: UploadedFile) => {
    setUploaded(answer);
    setAnswers({});
  };
  const choose = (next: File | null) => {
    remove();
    setFile(next);
    setReading({});
    create.reset();
    if (!next) return;
    send.mutate(
      { organizationId, fileName: next.name, upload: next },
      {
        onSuccess: (answer) => {
          show(answer);
          setName(answer.name);
        },
      },
    );
  };
  const read = (next: FileReading) => {
    setReading(next);
    if (uploaded)
      describe.mutate(
        { organizationId, uploadId: uploaded.uploadId, ...next },
        { onSuccess: show },
      );
  };
  const open = async ({ datasetId, reportId }: AdminAnswer<'importDataFile'>) => {
    await client.invalidateQueries();
    navigate(
      reportId === null
        ? `/organizations/${organizationId}/datasets/${datasetId}`
        : `/organizations/${organizationId}/reports/${reportId}/edit#/definition`,
    );
  };
  const [replaced, setReplaced] = useState<Named>();
  const kind = uploaded?.reading.xlsx ? 'xlsx' : 'csv';
  const options = uploaded?.reading[kind];
  const questions = uploaded?.questions ?? [];
  const isAsked = questions.length > 0;
  const existing = uploaded?.existing ?? [];
  const isReady = uploaded !== null && !isRunning && isAnswered(questions, answers);
  if (uploaded && file && replaced)
    return (
      <ReplaceData
        dataset={replaced}
        uploaded={{ id: uploaded.uploadId, file }}
        onClose={() => {
          remove();
          onClose();
        }}
      />
    );
  return (
    <Dialog
      title={formatMessage('datasets.upload')}
      isWide={uploaded !== null}
      submit={formatMessage(
        isAsked ? 'action.continue' : existing.length > 0 ? 'existing.create' : 'datasets.create',
      )}
      isBusy={create.isPending}
      isDisabled={!isReady}
      error={latestError(send, describe, create)}
      onClose={() => {
        remove();
        onClose();
      }}
      onSubmit={() => {
        if (!isReady) return;
        if (isAsked) read(addAnswers(reading, questions, answers, kind));
        else
          create.mutate(
            { organizationId, uploadId: uploaded.uploadId, name, workspace, ...reading },
            { onSuccess: (answer) => void open(answer) },
          );
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
        onChange={choose}
      />
      <TaskStatus readings={[send, describe]} change={create} />
      {uploaded && (
        <>
          <Text>
            {formatMessage('datasets.read', {
              rows: formatMessage('count.rows', { count: uploaded.sample.rowCount }),
              columns: formatMessage('count.columns', { count: uploaded.columns.length }),
            })}
          </Text>
          {existing.length > 0 && <Existing datasets={existing} onReplace={setReplaced} />}
          {/* The answers change what the hints are about. */}
          {!isAsked && uploaded.hints.length > 0 && (
            <List size="sm">
              {uploaded.hints.map((hint) => (
                <List.Item key={hint} className="breakable">
                  {hint}
                </List.Item>
              ))}
            </List>
          )}
          {isAsked && <Questions questions={questions} answers={answers} onChange={setAnswers} />}
          {options && (
            <FileOptions
              found={options}
              kind={kind}
              fields={uploaded.reading.fields}
              isBusy={describe.isPending}
              onRead={(changed) => read({ ...reading, [kind]: { ...reading[kind], ...changed } })}
            />
          )}
          {uploaded.sample.rowCount > 0 && (
            <SampleTable sample={uploaded.sample} columns={uploaded.columns} />
          )}
          {!isAsked && (
            <>
              <TextInput
                label={formatMessage('reports.name')}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
                required
              />
              <WorkspaceField value={workspace} onChange={setWorkspace} required />
            </>
          )}
        </>
      )}
    </Dialog>
  );
}
