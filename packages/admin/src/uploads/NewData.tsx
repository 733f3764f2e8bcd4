import { Alert, Checkbox, FileInput, List, NativeSelect, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

import { call } from '../api/call.ts';
import { latestError, useChange } from '../api/queries.ts';
import { useTask } from '../api/use-task.ts';
import { Dialog } from '../kit/Dialog.tsx';
import { notify } from '../kit/notify.ts';
import { useFormats } from '../messages/messages.ts';
import {
  maxUploadBytes,
  type DataChange,
  type FileReading,
  type NewData as Compared,
} from '../requests/data-files.ts';
import type { DataFiles } from '../requests/datasets.ts';
import type { Named } from '../requests/lists.ts';
import { useOrganizationId } from '../session/organization.ts';
import { DataChanges } from './DataChanges.tsx';
import { addAnswers, isAnswered, Questions, type Answers } from './Questions.tsx';
import { TaskStatus } from './TaskProgress.tsx';

/** Replaces a file of a dataset or adds a further one, after what changes was shown. */
export function NewData({
  dataset,
  files,
  mode,
  uploaded,
  onClose,
}: {
  dataset: Named;
  files: DataFiles;
  mode: 'replace' | 'append';
  /** A file that was sent already. */
  uploaded?: { id: string; file: File };
  onClose: () => void;
}) {
  const { formatMessage, formatNumber } = useFormats();
  const organizationId = useOrganizationId();
  const [file, setFile] = useState<File | null>(uploaded?.file ?? null);
  const [target, setTarget] = useState(files.names.length === 1 ? files.names[0]! : '');
  const [compared, setCompared] = useState<Compared | null>(null);
  const [reading, setReading] = useState<FileReading>({});
  const [answers, setAnswers] = useState<Answers>({});
  const [isConfirmed, setIsConfirmed] = useState(false);
  const send = useTask('uploadNewData');
  const compare = useTask('compareNewData');
  const change = useChange('changeData', () => {
    notify(formatMessage('new_data.done', { name: dataset.name }));
    onClose();
  });
  const isRunning = [send, compare].some(({ isPending }) => isPending);
  const scope = { organizationId, datasetId: dataset.id };
  const targetOf = (name: string) => (mode === 'replace' && name !== '' ? { target: name } : {});
  const remove = () => {
    send.cancel();
    compare.cancel();
    if (compared && !change.isSuccess)
      void call('removeUpload', { organizationId, uploadId: compared.uploadId }).catch(() => {});
    setCompared(null);
  };
  const show = (answer: Compared) => {
    setCompared(answer);
    setAnswers({});
    setIsConfirmed(false);
  };
  const sendFile = (next: File, name: string) =>
    send.mutate(
      { ...scope, mode, fileName: next.name, upload: next, ...targetOf(name) },
      { onSuccess: show },
    );
  const choose = (next: File | null) => {
    remove();
    setFile(next);
    setReading({});
    change.reset();
    if (!next) return;
    const twin = files.names.find((each) => each.split('/').at(-1) === next.name);
    const found = files.names.length === 1 ? target : (twin ?? target);
    setTarget(found);
    if (mode === 'append' || found !== '') sendFile(next, found);
  };
  const chooseTarget = (name: string) => {
    setTarget(name);
    if (!file || name === '') return;
    if (compared)
      compare.mutate(
        { ...scope, uploadId: compared.uploadId, mode, ...targetOf(name), ...reading },
        { onSuccess: show },
      );
    else sendFile(file, name);
  };
  const isStarted = useRef(false);
  useEffect(() => {
    if (!uploaded || isStarted.current || (mode === 'replace' && target === '')) return;
    isStarted.current = true;
    compare.mutate(
      { ...scope, uploadId: uploaded.id, mode, ...targetOf(target) },
      { onSuccess: show },
    );
  });
  const questions = compared?.questions ?? [];
  const isAsked = questions.length > 0;
  const isSame = compared?.datasets.every((each) => each.change === 'unchanged') === true;
  const isPossible =
    compared !== null &&
    compared.mistakes.length === 0 &&
    !isSame &&
    (compared.doubts.length === 0 || isConfirmed);
  const isReady = !isRunning && (isAsked ? isAnswered(questions, answers) : isPossible);
  const submit = () => {
    if (!compared || !isReady) return;
    const request = { ...scope, uploadId: compared.uploadId, mode, ...targetOf(target) };
    if (isAsked) {
      const next = addAnswers(reading, questions, answers, kindOf(files));
      setReading(next);
      compare.mutate({ ...request, ...next }, { onSuccess: show });
    } else change.mutate({ ...request, ...reading, version: compared.version, isConfirmed });
  };
  const title = formatMessage(mode === 'replace' ? 'new_data.replace' : 'new_data.append');
  return (
    <Dialog
      title={title}
      submit={isAsked ? formatMessage('action.continue') : title}
      isBusy={change.isPending}
      isDisabled={!isReady}
      error={latestError(send, compare, change)}
      onClose={() => {
        remove();
        onClose();
      }}
      onSubmit={submit}
    >
      <FileInput
        data-autofocus
        label={formatMessage('new_data.file')}
        description={
          mode === 'append' && !files.isPattern
            ? formatMessage('new_data.append.folder', { file: files.names[0] ?? '' })
            : formatMessage('new_data.file.help', {
                size: formatNumber(maxUploadBytes / 1024 / 1024),
              })
        }
        placeholder={formatMessage('field.file')}
        accept={acceptOf(files)}
        value={file}
        onChange={choose}
      />
      {mode === 'replace' && files.names.length > 1 && (
        <NativeSelect
          label={formatMessage('new_data.target')}
          data={[
            { value: '', label: formatMessage('new_data.target.choose') },
            ...files.names.map((name) => ({ value: name, label: name })),
          ]}
          value={target}
          onChange={(event) => chooseTarget(event.currentTarget.value)}
          required
        />
      )}
      <TaskStatus readings={[send, compare]} />
      {compared && (
        <Stack>
          {isAsked && <Questions questions={questions} answers={answers} onChange={setAnswers} />}
          {compared.mistakes.length > 0 && (
            <Alert color="red" title={formatMessage('new_data.refused')} role="alert">
              <List size="sm">
                {compared.mistakes.map(({ file: place, line, column, message }) => (
                  <List.Item key={`${place}:${line}:${column} ${message}`} className="breakable">
                    {message}
                    <Text size="xs" c="dimmed">
                      {place}:{line}:{column}
                    </Text>
                  </List.Item>
                ))}
              </List>
            </Alert>
          )}
          {compared.hints.length > 0 && (
            <List size="sm">
              {compared.hints.map((hint) => (
                <List.Item key={hint} className="breakable">
                  {hint}
                </List.Item>
              ))}
            </List>
          )}
          {isSame && <Text>{formatMessage('new_data.same')}</Text>}
          {listChanged(compared, dataset.id).map((each) => (
            <DataChanges key={each.id} change={each} isOther={each.id !== dataset.id} />
          ))}
          {compared.doubts.length > 0 && (
            <Alert color="yellow" title={formatMessage('new_data.doubt')}>
              <Stack gap="xs">
                {compared.doubts.map(({ message }) => (
                  <Text key={message} size="sm" className="breakable">
                    {message}
                  </Text>
                ))}
                <Checkbox
                  label={formatMessage('new_data.confirm')}
                  checked={isConfirmed}
                  onChange={(event) => setIsConfirmed(event.currentTarget.checked)}
                />
              </Stack>
            </Alert>
          )}
        </Stack>
      )}
    </Dialog>
  );
}

/** The datasets that change, the one of the page first. */
const listChanged = ({ datasets }: Compared, datasetId: string): DataChange[] =>
  datasets
    .filter(({ change }) => change === 'update')
    .toSorted((one, other) => Number(other.id === datasetId) - Number(one.id === datasetId));

/** Files of a dataset are of one kind. */
const kindOf = ({ names }: DataFiles): 'csv' | 'xlsx' =>
  /\.xls[xm]$/i.test(names[0] ?? '') ? 'xlsx' : 'csv';

function acceptOf({ names: [first = ''] }: DataFiles): string {
  const extension = /\.\w+$/.exec(first)?.[0].toLowerCase() ?? '';
  if (/^\.(csv|tsv|txt)$/.test(extension)) return '.csv,.tsv,.txt';
  return /^\.xls[xm]$/.test(extension) ? '.xlsx,.xlsm' : extension;
}
