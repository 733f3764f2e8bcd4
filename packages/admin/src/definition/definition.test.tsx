import { currentCompletions, startCompletion } from '@codemirror/autocomplete';
import { forEachDiagnostic } from '@codemirror/lint';
import { EditorView } from '@codemirror/view';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import type { TilesView } from '#viewer/requests';

import type { DefinitionNames } from '../requests/definitions.ts';
import type { AdminReport } from '../requests/reports.ts';
import { administrator, openAdmin, refuse, type Answers } from '../test/open-admin.tsx';
// The page loads the editor on demand, which must not count toward the time of the first test.
import './DefinitionTab.tsx';

const report = {
  id: 'r1',
  name: 'Sales',
  workspaceName: 'Retail',
  description: null,
  workspaceId: 'w1',
  dataset: { id: 'd1', name: 'Orders' },
  file: 'reports/sales.yaml',
  version: 3,
  savedAt: null,
  canEdit: true,
  canCopy: true,
  product: null,
} as AdminReport;
const names: DefinitionNames = {
  fields: ['Region'],
  metrics: ['Sales'],
  datasets: ['orders'],
  types: ['text'],
  hasTime: true,
};
const saved = { text: 'name: Sales', version: 3, names };
const view: TilesView = {
  kind: 'tiles',
  report: { id: 'r1', name: 'Sales', description: null, workspaceName: 'Retail' },
  filters: [],
  readerFilters: [],
  filterFields: [],
  unappliedFilters: [],
  unreadableFilters: [],
  rowCount: 0,
  rowAccess: 'by-role',
  roles: [],
  timeZone: 'UTC',
  pages: ['Overview'],
  page: { name: 'Overview', rows: [], index: 0 },
};
const version = {
  version: 3,
  savedAt: '2026-03-01T12:00:00Z',
  savedBy: null,
  savedFrom: 'pages',
} as const;
const stale = refuse(409, 'stale_version');

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const findEditor = async () =>
  EditorView.findFromDOM(await screen.findByLabelText('Definition (YAML)'))!;
const readText = async () => (await findEditor()).state.doc.toString();

/** Replaces the text, as typing does. jsdom has no layout in which to type. */
async function type(insert: string) {
  const editor = await findEditor();
  act(() => editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert } }));
}

// Unsaved texts last as long as the document, which the tests share.
afterEach(() => {
  const discard = screen.queryByRole('button', { name: 'Discard changes' });
  if (discard) fireEvent.click(discard);
});

async function openDefinition(answers: Answers = {}) {
  // jsdom has no layout, which the editor measures.
  Object.assign(Range.prototype, { getClientRects: () => [] });
  const page = await openAdmin('/reports/r1/edit#/definition', {
    readReport: report,
    readDefinition: saved,
    checkDefinition: { mistakes: [], names },
    listDefinitionVersions: { versions: [version, { ...version, version: 2 }] },
    findHolders: { holders: [] },
    previewReport: view,
    listWorkspaces: { workspaces: [] },
    findDatasets: { datasets: [] },
    ...answers,
  });
  await findEditor();
  return page;
}

describe('a text that is not saved', () => {
  it('an unsaved definition is still there after another tab, until it is discarded', async () => {
    await openDefinition();
    const save = screen.getByRole('button', { name: 'Save' });
    expect(save).toBeDisabled();
    await type('name: Unsaved');
    expect(save).toBeEnabled();
    fireEvent.click(screen.getByRole('tab', { name: 'General' }));
    await screen.findByLabelText(/^Description/);
    fireEvent.click(screen.getByRole('tab', { name: 'Definition' }));
    expect(await readText()).toBe('name: Unsaved');
    press('Discard changes');
    await waitFor(async () => expect(await readText()).toBe('name: Sales'));
    expect(screen.queryByRole('button', { name: 'Discard changes' })).toBeNull();
  });

  it('an unsaved definition is still there after another page', async () => {
    await openDefinition();
    await type('name: Unsaved');
    fireEvent.click(screen.getByRole('link', { name: 'Datasets' }));
    await screen.findByText('No datasets');
    expect(screen.queryByLabelText('Definition (YAML)')).toBeNull();
    act(() => history.back());
    expect(await readText()).toBe('name: Unsaved');
  });

  it('the browser asks before a document with an unsaved definition is left', async () => {
    await openDefinition();
    const mayLeave = () => fireEvent(window, new Event('beforeunload', { cancelable: true }));
    expect(mayLeave()).toBe(true);
    await type('name: Unsaved');
    expect(mayLeave()).toBe(false);
    press('Discard changes');
    expect(mayLeave()).toBe(true);
  });

  it('a text that is typed during a save stays unsaved', async () => {
    let answer!: (response: Response) => void;
    const answered = new Promise<Response>((resolve) => (answer = resolve));
    const { sent, answers } = await openDefinition({ saveDefinition: () => answered });
    await type('name: Sent');
    press('Save');
    await waitFor(() => expect(sent('saveDefinition')).toHaveLength(1));
    await type('name: Typed later');
    answers.readDefinition = { ...saved, text: 'name: Sent', version: 4 };
    answer(Response.json({ version: 4 }));
    expect(
      await screen.findByText('Saved. Readers see the change when they open or refresh a report.'),
    ).toBeVisible();
    expect(await readText()).toBe('name: Typed later');
    answers.saveDefinition = { version: 5 };
    press('Save');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled());
    expect(sent('saveDefinition').map(({ text, version: base }) => [text, base])).toEqual([
      ['name: Sent', 3],
      ['name: Typed later', 4],
    ]);
  });
});

describe('a definition that somebody else has saved', () => {
  const theirs = { ...saved, text: 'name: Theirs', version: 4 };
  const openStale = async () => {
    const page = await openDefinition({ saveDefinition: stale });
    await type('name: Mine');
    press('Save');
    expect(await screen.findByText('Somebody else has saved in the meantime')).toBeVisible();
    expect(await readText()).toBe('name: Mine');
    page.answers.readDefinition = theirs;
    page.answers.saveDefinition = { version: 5 };
    return page;
  };

  it('both texts are compared, and the own text replaces the other version', async () => {
    const { sent } = await openStale();
    press('Compare');
    const compared = await screen.findByRole('dialog');
    await waitFor(() => expect(compared.querySelector('.cm-deletedChunk')).not.toBeNull());
    expect(compared.querySelector('.cm-deletedChunk')).toHaveTextContent('name: Theirs');
    expect(compared.querySelector('.cm-changedLine')).toHaveTextContent('name: Mine');
    fireEvent.click(within(compared).getByRole('button', { name: 'Close' }));
    press('Keep my text');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Keep my text' })).toBeNull());
    expect(await readText()).toBe('name: Mine');
    press('Save');
    expect(
      await screen.findByText('Saved. Readers see the change when they open or refresh a report.'),
    ).toBeVisible();
    expect(sent('saveDefinition').map(({ version: base }) => base)).toEqual([3, 4]);
  });

  it('the other version can replace the own text', async () => {
    await openStale();
    press('Load the other version');
    await waitFor(async () => expect(await readText()).toBe('name: Theirs'));
    expect(screen.queryByText('Somebody else has saved in the meantime')).toBeNull();
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  });
});

describe('the versions of a definition', () => {
  it('an earlier version is restored in the editor, compared, and saved only on request', async () => {
    const { sent } = await openDefinition({
      readDefinitionVersion: { text: 'name: Earlier' },
      saveDefinition: { version: 4 },
    });
    await screen.findByRole('button', { name: 'Compare version 3' });
    expect(screen.queryByRole('button', { name: 'Restore version 3 in the editor' })).toBeNull();
    press('Restore version 2 in the editor');
    await waitFor(async () => expect(await readText()).toBe('name: Earlier'));
    expect(sent('readDefinitionVersion')).toMatchObject([{ version: '2' }]);
    expect(sent('saveDefinition')).toEqual([]);
    press('Compare version 3');
    expect(await screen.findByText('Your text is the same as the saved version.')).toBeVisible();
    press('Close');
    press('Save');
    expect(
      await screen.findByText('Saved. Readers see the change when they open or refresh a report.'),
    ).toBeVisible();
    expect(sent('saveDefinition')).toMatchObject([{ text: 'name: Earlier', version: 3 }]);
  });

  it('a contributor without edit access can read, compare and preview a definition, but not as another user', async () => {
    await openDefinition({
      readIdentity: { ...administrator, role: 2 },
      readReport: { ...report, canEdit: false },
      listDefinitionVersions: {
        versions: [version, { ...version, version: 2, savedFrom: 'files', savedBy: 'ci' }],
      },
      readDefinitionVersion: refuse(404, 'not_found', 'The version was deleted.'),
    });
    expect(await screen.findByRole('button', { name: 'Compare version 2' })).toBeVisible();
    const rows = screen.getAllByRole<HTMLTableRowElement>('row');
    expect(rows.map(({ cells }) => cells[2]!.textContent)).toEqual(['', 'ci (content folder)']);
    expect(rows.map(({ cells }) => cells[0]!.textContent)).toEqual(['3', '2']);
    expect(rows[0]!.cells[1]).toHaveTextContent(/^Mar 1, 2026/);
    expect(screen.queryByRole('alert')).toBeNull();
    press('Compare version 2');
    expect(await screen.findByText('The version was deleted.')).toBeVisible();
    expect(await screen.findByRole('region', { name: 'Preview' })).toBeVisible();
    expect(screen.queryByRole('combobox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Choose a user' })).toBeNull();
    expect((await findEditor()).state.readOnly).toBe(true);
    expect(screen.queryByRole('button', { name: /^(Save|Restore)/ })).toBeNull();
  });
});

describe('the mistakes of a definition', () => {
  const mistake = { line: 2, column: 9, message: 'Did you mean "Sales"?' };
  const checkDefinition: Answers['checkDefinition'] = ({ text }) => ({
    mistakes: text.includes('Sals') ? [mistake] : [],
    names,
  });
  const mistakes = () => screen.getByRole('status', { name: 'Mistakes' });

  it('each mistake is named with its place and marked there, and the preview keeps the last valid text', async () => {
    const { sent } = await openDefinition({ checkDefinition });
    await type('name: x\nmetric: Sals');
    await waitFor(() =>
      expect(mistakes()).toHaveTextContent('1 mistakeLine 2, column 9: Did you mean "Sales"?'),
    );
    expect(screen.getByText('The preview shows the last text without mistakes.')).toBeVisible();
    const editor = await findEditor();
    const marked: string[] = [];
    forEachDiagnostic(editor.state, (_, from, to) => marked.push(editor.state.sliceDoc(from, to)));
    expect(marked).toEqual(['Sals']);
    await type('name: x\nmetric: Sales');
    await waitFor(() => expect(mistakes()).toBeEmptyDOMElement());
    expect(screen.queryByText(/last text without mistakes/)).toBeNull();
    await waitFor(() =>
      expect(sent('previewReport').at(-1)).toMatchObject({ text: 'name: x\nmetric: Sales' }),
    );
    expect(sent('previewReport').map(({ text }) => text)).not.toContain('name: x\nmetric: Sals');
  });

  it('text that is typed right after the page has drawn a change is kept', async () => {
    const { sent } = await openDefinition({ checkDefinition });
    const editor = await findEditor();
    const replace = (insert: string) =>
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert } });
    // React runs passive effects after the observers of what it has drawn.
    const observer = new MutationObserver(() => {
      observer.disconnect();
      replace('name: xy');
    });
    observer.observe(screen.getByRole('button', { name: 'Save' }), { attributes: true });
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
    replace('name: x');
    await waitFor(() => expect(sent('checkDefinition').at(-1)).toMatchObject({ text: 'name: xy' }));
    expect(editor.state.doc.toString()).toBe('name: xy');
  });

  it('a text is checked once typing pauses, so that the page sends at most two checks a second', async () => {
    const { sent } = await openDefinition({ checkDefinition });
    const editor = await findEditor();
    for (const insert of ['name: x', 'name: xy', 'name: xyz'])
      act(() => editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert } }));
    await waitFor(() =>
      expect(sent('checkDefinition').at(-1)).toMatchObject({ text: 'name: xyz' }),
    );
    expect(sent('checkDefinition').map(({ text }) => text)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^name: xy?$/)]),
    );
  });

  it('a definition that is refused when it is saved names the place, and the file if it is another', async () => {
    const errors = [
      { path: 'reports/sales.yaml:3:5', message: 'Here.' },
      { path: 'datasets/orders.yaml:7:1', message: 'There.' },
    ];
    const { answers } = await openDefinition({
      saveDefinition: Response.json(
        { code: 'invalid_content', detail: '', errors },
        { status: 400 },
      ),
    });
    await type('name: x');
    press('Save');
    await waitFor(() => expect(mistakes()).toHaveTextContent('Line 3, column 5: Here.'));
    expect(mistakes()).toHaveTextContent('datasets/orders.yaml, line 7, column 1: There.');
    expect(screen.queryByText('This did not work')).toBeNull();
    expect(screen.queryByText('Somebody else has saved in the meantime')).toBeNull();
    answers.saveDefinition = () => Promise.reject(new TypeError('no network'));
    press('Save');
    expect(await screen.findByText(/^The portal did not answer/)).toBeVisible();
    expect(mistakes()).toBeEmptyDOMElement();
    answers.saveDefinition = refuse(403, 'missing_permission', 'The workspace is not yours.');
    press('Save');
    expect(await screen.findByText('The workspace is not yours.')).toBeVisible();
    answers.saveDefinition = new Response('<h1>Too large</h1>', { status: 413 });
    press('Save');
    expect(await screen.findByText(/^The portal gave no reason/)).toBeVisible();
  });

  it('a definition is written from left to right on pages of each direction', async () => {
    await openDefinition();
    expect((await findEditor()).dom.closest('[dir]')).toHaveAttribute('dir', 'ltr');
  });

  it('the editor completes the names of the dataset', async () => {
    await openDefinition();
    const text = 'pages:\n  - rows:\n      - - type: kpi\n          metric: ';
    await type(text);
    const editor = await findEditor();
    act(() => {
      editor.dispatch({ selection: { anchor: text.length } });
      startCompletion(editor);
    });
    await waitFor(() =>
      expect(currentCompletions(editor.state).map(({ label }) => label)).toEqual(['Sales']),
    );
  });

  it('the editor completes names that the dataset has gained since the page was opened', async () => {
    const metrics = ['Profit', 'Sales'];
    const { sent } = await openDefinition({
      checkDefinition: { mistakes: [], names: { ...names, metrics } },
    });
    const text = 'pages:\n  - rows:\n      - - type: kpi\n          metric: ';
    await type(text);
    const editor = await findEditor();
    // The preview follows the check of the text.
    await waitFor(() => expect(sent('previewReport').at(-1)).toMatchObject({ text }));
    act(() => {
      editor.dispatch({ selection: { anchor: text.length } });
      startCompletion(editor);
    });
    await waitFor(() =>
      expect(currentCompletions(editor.state).map(({ label }) => label)).toEqual(metrics),
    );
  });
});

it('the definition of a dataset is edited without a preview', async () => {
  const { sent } = await openAdmin('/datasets/d1', {
    readDataset: {
      ...report,
      id: 'd1',
      source: 'orders.csv',
      file: 'datasets/orders.yaml',
      isEdited: false,
      savedBy: null,
      savedFrom: null,
      rowAccess: 'everyone',
      fields: [],
      metrics: [],
      reports: [],
      roles: [],
      questions: [],
      dataFiles: null,
      workspaces: [],
    },
    readSample: { columns: [], rows: [], rowCount: 0, dataAsOf: null },
    findUnreadableTexts: { texts: [] },
    readDefinition: saved,
    checkDefinition: { mistakes: [], names },
    listDefinitionVersions: { versions: [] },
  });
  fireEvent.click(await screen.findByRole('tab', { name: 'Definition' }));
  expect(await readText()).toBe('name: Sales');
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  expect(screen.queryByRole('region', { name: 'Preview' })).toBeNull();
  expect(screen.queryByRole('combobox')).toBeNull();
  expect(sent('readDefinition')).toEqual([{ kind: 'datasets', itemId: 'd1' }]);
});

describe('the preview of a definition', () => {
  it('a preview that fails shows the reason, and a preview without matching rows says what to check', async () => {
    const { answers } = await openDefinition({ previewReport: refuse(429, 'rate_limited') });
    const preview = within(await screen.findByRole('region', { name: 'Preview' }));
    const retry = await preview.findByRole('button', { name: 'Try again' });
    expect(preview.getByText('Too many requests')).toBeVisible();
    answers.previewReport = { ...view, rowAccess: 'everyone' };
    fireEvent.click(retry);
    expect(await preview.findByText(/^No rows match/)).toBeVisible();
    expect(preview.queryByRole('link', { name: 'Give a role' })).toBeNull();
  });

  it('the preview of an administrator shows all rows, and says so', async () => {
    await openDefinition({ previewReport: { ...view, rowAccess: 'everyone' } });
    expect(screen.getByText('The preview shows all rows.')).toBeVisible();
    const preview = within(await screen.findByRole('region', { name: 'Preview' }));
    fireEvent.click(await preview.findByRole('button', { name: 'Choose a user' }));
    expect(screen.getByRole('combobox', { name: 'Preview as another user' })).toHaveFocus();
    fireEvent.click(preview.getByRole('button', { name: 'Why these rows?' }));
    expect(await preview.findByText(/^This preview shows all rows/)).toBeInTheDocument();
  });

  it('the preview is computed as the chosen user', async () => {
    const west = { kind: 'user', id: 'u1', name: 'West', email: 'west@acme.example' } as const;
    const { sent } = await openDefinition({ findHolders: { holders: [west] } });
    fireEvent.focus(screen.getByRole('combobox', { name: 'Preview as another user' }));
    fireEvent.click(await screen.findByRole('option', { hidden: true }));
    expect(await screen.findByText(/^West has no role in the dataset/)).toBeVisible();
    expect(screen.getByLabelText('Preview as West. Choose another user:')).toBeVisible();
    await waitFor(() =>
      expect(sent('previewReport').at(-1)).toMatchObject({ text: saved.text, asUserId: 'u1' }),
    );
    const preview = within(screen.getByRole('region', { name: 'Preview' }));
    expect(preview.getByRole('link', { name: 'Give a role' })).toHaveAttribute('href', '#/rows');
    press('Show all rows');
    await waitFor(() => expect(sent('previewReport').at(-1)).not.toHaveProperty('asUserId'));
    expect(preview.queryByRole('link', { name: 'Give a role' })).toBeNull();
  });
});
