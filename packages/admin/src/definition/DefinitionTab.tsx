import './editor.css';
import { Alert, Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDebouncedValue, useLocalStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef, useState } from 'react';

import { AdminError } from '../api/admin-error.ts';
import { call } from '../api/call.ts';
import { useAnswer, useChange } from '../api/queries.ts';
import { Compare } from '../drafts/Compare.tsx';
import { StaleVersion } from '../drafts/StaleVersion.tsx';
import { useDraft } from '../drafts/use-draft.ts';
import { Failure } from '../kit/Failure.tsx';
import { Loaded, Loading } from '../kit/Loaded.tsx';
import { notify } from '../kit/notify.ts';
import { useFormats } from '../messages/messages.ts';
import type { Definition, DefinitionMistake } from '../requests/definitions.ts';
import type { Named } from '../requests/lists.ts';
import { useIdentity } from '../session/identity.ts';
import { useOrganizationId } from '../session/organization.ts';
import { CodeEditor } from './CodeEditor.tsx';
import { MetricDatasetContext } from './form/NewMetricButton.tsx';
import { NoRowsAdvice } from './NoRowsAdvice.tsx';
import { Preview } from './Preview.tsx';
import { PreviewReader, type PreviewUser } from './PreviewReader.tsx';
import { Versions } from './Versions.tsx';
import { useEditing } from './visual/use-editing.ts';
import type { Position } from './visual/use-steps.ts';

// Its libraries load beside the text.
const VisualEditor = lazy(() =>
  import('./visual/VisualEditor.tsx').then((module) => ({ default: module.VisualEditor })),
);

interface DefinitionTabProps {
  kind: 'reports' | 'datasets';
  item: {
    id: string;
    file: string | null;
    version: number;
    canEdit?: boolean;
    /** Of a report. */
    dataset?: Named;
  };
}

/** The definition of a report or dataset: editor, mistakes, preview and earlier versions. */
export function DefinitionTab({ kind, item }: DefinitionTabProps) {
  const organizationId = useOrganizationId();
  const request = { organizationId, kind, itemId: item.id };
  const definition = useAnswer('readDefinition', request);
  return (
    <Loaded query={definition}>
      {(loaded) => <Editing kind={kind} item={item} loaded={loaded} />}
    </Loaded>
  );
}

function Editing({ kind, item, loaded }: DefinitionTabProps & { loaded: Definition }) {
  const { formatMessage } = useFormats();
  const organizationId = useOrganizationId();
  const { role, email } = useIdentity();
  const request = { organizationId, kind, itemId: item.id };
  // A version that is later than the base must not be overwritten unseen.
  const [{ base, text }, setDraft] = useDraft(JSON.stringify([email, request]), loaded);
  const setBase = (next: Definition) => setDraft((draft) => ({ ...draft, base: next }));
  const editing = useEditing(text, (next) => setDraft((draft) => ({ ...draft, text: next })));
  const [position, setPosition] = useState<Position>({ page: 0, tile: undefined });
  const [view, setView] = useLocalStorage<View>({
    key: 'definition-view',
    defaultValue: 'visual',
    getInitialValueInEffect: false,
  });
  const [compared, setCompared] = useState<string>();
  const isAdministrator = role === null || role === 1;
  const readerField = useRef<HTMLInputElement>(null);
  const [reader, setReader] = useState<PreviewUser>();
  const [settled] = useDebouncedValue(text, 500);
  const check = useCheck(request, settled);
  const mistakes = check.data?.mistakes ?? [];
  const [drawn, setDrawn] = useState(loaded.text);
  const isValid = check.data?.text === settled && mistakes.length === 0;
  if (isValid && drawn !== settled) setDrawn(settled);
  const save = useChange('saveDefinition', ({ version }, sent) => {
    setBase({ ...base, text: sent.text, version });
    notify(formatMessage('definition.saved'));
  });
  const isReadOnly = item.canEdit === false;
  const isStale = save.error instanceof AdminError && save.error.code === 'stale_version';
  const refused = listRefused(save.error, item.file ?? '');
  const showVersion = (next: Definition) => {
    setBase(next);
    editing.change(next.text);
    save.reset();
  };
  const isReport = kind === 'reports';
  const shownMistakes = mistakes.length > 0 ? mistakes : refused;
  const names = check.data?.names ?? base.names;
  const source = {
    organizationId,
    reportId: item.id,
    asUserId: reader?.id,
    hasAllRows: isAdministrator && reader === undefined,
  };
  const code = (
    <CodeEditor
      kind={kind}
      label={formatMessage('definition.editor')}
      value={text}
      mistakes={shownMistakes}
      names={names}
      isReadOnly={isReadOnly}
      onChange={(next) => editing.change(next, 'typing')}
    />
  );
  const editor = (
    <Stack gap="xs" className="definition-part definition-editor">
      <Group justify="space-between" className="definition-bar">
        {isReport && <ViewChoice view={view} onChange={setView} />}
        {!isReadOnly && (
          <Group gap="xs" ms="auto">
            {text !== base.text && (
              <Button variant="default" onClick={() => showVersion(base)}>
                {formatMessage('definition.discard')}
              </Button>
            )}
            <Button
              loading={save.isPending}
              disabled={text === base.text}
              onClick={() => save.mutate({ ...request, text, version: base.version })}
            >
              {formatMessage('action.save')}
            </Button>
          </Group>
        )}
      </Group>
      {isStale && (
        <StaleVersion
          request={request}
          onBase={setBase}
          onTake={showVersion}
          onCompared={setCompared}
          onDone={() => save.reset()}
        />
      )}
      {save.error && !isStale && refused.length === 0 && <Failure error={save.error} />}
      <Mistakes mistakes={shownMistakes} />
      {isReport ? (
        <div className="definition-views">
          <div className="definition-visual">
            <Suspense fallback={<Loading />}>
              <MetricDatasetContext value={isAdministrator ? item.dataset?.id : undefined}>
                <VisualEditor
                  editing={editing}
                  names={names}
                  checked={{ text: check.data?.text ?? text, mistakes: shownMistakes }}
                  isReadOnly={isReadOnly}
                  position={position}
                  onPosition={setPosition}
                  source={source}
                />
              </MetricDatasetContext>
            </Suspense>
          </div>
          <div className="definition-text">{code}</div>
        </div>
      ) : (
        code
      )}
    </Stack>
  );
  const versions = (
    <Versions
      request={request}
      current={base.version}
      onCompare={setCompared}
      {...(!isReadOnly && { onRestore: (restored) => editing.change(restored) })}
    />
  );
  return (
    <>
      {compared !== undefined && (
        <Compare before={compared} after={text} onClose={() => setCompared(undefined)} />
      )}
      {isReport ? (
        <div className="definition-frame">
          <div className="definition" data-view={view}>
            {editor}
            <Stack gap="xs" className="definition-part">
              {isAdministrator && (
                <PreviewReader ref={readerField} reader={reader} onChange={setReader} />
              )}
              {mistakes.length > 0 && (
                <Text size="sm">{formatMessage('definition.last_valid')}</Text>
              )}
              <Preview
                {...source}
                text={drawn}
                page={position.page}
                onPage={(page) => setPosition({ page, tile: undefined })}
                selected={position.tile}
                onSelect={(tile) => setPosition({ page: tile.page, tile })}
                noRowsAdvice={
                  isAdministrator && (
                    <NoRowsAdvice
                      reader={reader}
                      onChooseReader={() => readerField.current?.focus()}
                    />
                  )
                }
              />
              {versions}
            </Stack>
          </div>
        </div>
      ) : (
        <Stack>
          {editor}
          {versions}
        </Stack>
      )}
    </>
  );
}

type View = 'visual' | 'text' | 'both';

/** Chooses between the visual editor and the text. */
function ViewChoice({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const { formatMessage } = useFormats();
  return (
    <SegmentedControl
      aria-label={formatMessage('editor.view')}
      value={view}
      data={(['visual', 'text', 'both'] as const).map((value) => ({
        value,
        label: formatMessage(`editor.view.${value}`),
      }))}
      onChange={onChange}
    />
  );
}

type ItemRequest = { organizationId: string; kind: 'reports' | 'datasets'; itemId: string };

/** Checks a text once typing pauses. The mistakes of the previous text stay until then. */
function useCheck(request: ItemRequest, text: string) {
  return useQuery({
    queryKey: ['checkDefinition', request, text],
    queryFn: async ({ signal }) => ({
      ...(await call('checkDefinition', { ...request, text }, signal)),
      text,
    }),
    placeholderData: (previous) => previous,
    staleTime: 60_000,
  });
}

/** The mistakes with which the service refused to save, such as `reports/sales.yaml:3:5`. */
function listRefused(error: unknown, own: string): DefinitionMistake[] {
  if (!(error instanceof AdminError) || error.code !== 'invalid_content') return [];
  return error.errors.map(({ path, message }) => {
    const [, file = '', line = '1', column = '1'] = /^(.*):(\d+):(\d+)$/.exec(path) ?? [];
    return {
      line: Number(line),
      column: Number(column),
      message,
      ...(file !== own && { file }),
    };
  });
}

function Mistakes({ mistakes }: { mistakes: readonly DefinitionMistake[] }) {
  const { formatMessage } = useFormats();
  return (
    <output aria-label={formatMessage('definition.mistakes')}>
      {mistakes.length > 0 && (
        <Alert
          color="red"
          title={formatMessage('definition.mistakes.count', { count: mistakes.length })}
        >
          <ul className="mistakes">
            {mistakes.map(({ file, line, column, message }) => (
              <li key={`${file} ${line} ${column} ${message}`}>
                <b>
                  {file === undefined
                    ? formatMessage('definition.place', { line, column })
                    : formatMessage('definition.place_in', { file, line, column })}
                </b>{' '}
                {message}
              </li>
            ))}
          </ul>
        </Alert>
      )}
    </output>
  );
}
