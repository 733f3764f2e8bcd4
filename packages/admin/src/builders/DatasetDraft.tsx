import './builder.css';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';

import { AdminError } from '../api/admin-error.ts';
import { useAnswer, useChange } from '../api/queries.ts';
import { Compare } from '../drafts/Compare.tsx';
import { StaleVersion } from '../drafts/StaleVersion.tsx';
import { useDraft } from '../drafts/use-draft.ts';
import { Failure } from '../kit/Failure.tsx';
import { Loaded } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { useFormats, type AdminMessageKey } from '../messages/messages.ts';
import type { AdminDataset } from '../requests/datasets.ts';
import type { Definition } from '../requests/definitions.ts';
import { useIdentity } from '../session/identity.ts';
import { useOrganizationId } from '../session/organization.ts';
import { readDatasetText, type DatasetOutline } from './dataset-text.ts';

/** The text of a dataset that a builder edits. It is the text of the tab Definition. */
export interface DatasetEditing {
  text: string;
  outline: DatasetOutline;
  isSaving: boolean;
  /** Saves a text as a new version, then calls `onSaved`. */
  save: (text: string, onSaved: () => void) => void;
  /** Why the latest text was not saved. */
  failure: ReactNode;
  resetFailure: () => void;
}

/** Loads the text of a dataset for a builder. */
export function DatasetDraft({
  dataset,
  saved = 'definition.saved',
  children,
}: {
  dataset: AdminDataset;
  /** What is said after a save. */
  saved?: AdminMessageKey;
  children: (editing: DatasetEditing) => ReactNode;
}) {
  const organizationId = useOrganizationId();
  const request = { organizationId, kind: 'datasets', itemId: dataset.id } as const;
  const definition = useAnswer('readDefinition', request);
  return (
    <Loaded query={definition}>
      {(loaded) => (
        <Editing request={request} loaded={loaded} saved={saved}>
          {children}
        </Editing>
      )}
    </Loaded>
  );
}

function Editing({
  request,
  loaded,
  saved,
  children,
}: {
  request: { organizationId: string; kind: 'datasets'; itemId: string };
  loaded: Definition;
  saved: AdminMessageKey;
  children: (editing: DatasetEditing) => ReactNode;
}) {
  const { formatMessage } = useFormats();
  const { email } = useIdentity();
  const [{ base, text }, setDraft] = useDraft(JSON.stringify([email, request]), loaded);
  const [compared, setCompared] = useState<string>();
  const save = useChange('saveDefinition', ({ version }, sent) => {
    setDraft({ base: { ...base, text: sent.text, version }, text: sent.text });
    notify(formatMessage(saved));
  });
  const outline = readDatasetText(text);
  const isStale = save.error instanceof AdminError && save.error.code === 'stale_version';
  const showVersion = (next: Definition) => {
    setDraft({ base: next, text: next.text });
    save.reset();
  };
  const failure = isStale ? (
    <StaleVersion
      request={request}
      onBase={(next) => setDraft((draft) => ({ ...draft, base: next }))}
      onTake={showVersion}
      onCompared={setCompared}
      onDone={() => save.reset()}
    />
  ) : (
    save.error && <SaveMistakes error={save.error} />
  );
  return (
    <Stack>
      {compared !== undefined && (
        <Compare
          before={compared}
          after={save.variables?.text ?? text}
          onClose={() => setCompared(undefined)}
        />
      )}
      {text !== base.text && (
        <Alert color="yellow" title={formatMessage('builder.unsaved')}>
          <Group>
            <Text size="sm">{formatMessage('builder.unsaved.text')}</Text>
            <Button size="xs" variant="default" onClick={() => showVersion(base)}>
              {formatMessage('definition.discard')}
            </Button>
          </Group>
        </Alert>
      )}
      {outline ? (
        children({
          text,
          outline,
          isSaving: save.isPending,
          save: (next, onSaved) =>
            save.mutate({ ...request, text: next, version: base.version }, { onSuccess: onSaved }),
          failure,
          resetFailure: () => save.reset(),
        })
      ) : (
        <Alert color="yellow" title={formatMessage('builder.unreadable')}>
          {formatMessage('builder.unreadable.text')}
        </Alert>
      )}
    </Stack>
  );
}

/** Why a text was refused: each mistake with its place, or the reason of the service. */
function SaveMistakes({ error }: { error: Error }) {
  const { formatMessage } = useFormats();
  if (!(error instanceof AdminError) || error.code !== 'invalid_content')
    return <Failure error={error} />;
  return (
    <Alert
      color="red"
      role="alert"
      title={formatMessage('definition.mistakes.count', { count: error.errors.length })}
    >
      <ul className="mistakes">
        {error.errors.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            <b>{path}</b> {message}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
