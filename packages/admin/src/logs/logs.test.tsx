import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { operations } from '../messages/messages.ts';
import type { AdminActivity } from '../requests/logs.ts';
import { openAdmin, type Answers } from '../test/open-admin.tsx';

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const search = () => Object.fromEntries(new URLSearchParams(location.search));

describe('the access log', () => {
  const entry = {
    id: '1',
    createdAt: '2026-03-01T12:00:00Z',
    organizationId: 'o1',
    userId: 'u1',
    userEmail: 'west@acme.example',
    userName: 'Wanda West',
    reportId: 'r1',
    reportName: 'Sales',
    action: 1,
    actionName: 'open',
  };
  const pages = {
    data: [entry],
    totalPages: 3,
    pageIndex: 1,
    hasNextPage: true,
    hasPreviousPage: false,
  };
  const openLog = (query: string, answers: Answers = {}) =>
    openAdmin(`/access-log${query}`, {
      listAccess: pages,
      countAccess: { opened: [], refused: [] },
      ...answers,
    });

  it('a day has a bar whose height is its share of the highest', async () => {
    const days = [0, 5, 10].map((count, index) => ({ day: `2026-03-0${index + 1}`, count }));
    await openLog('', { countAccess: { opened: days, refused: [] } });
    const chart = await screen.findByRole('img', { name: 'Openings by day: 15 in 3 days' });
    const bars = [...chart.querySelectorAll('rect')];
    const heights = bars.map((bar) => Number(bar.getAttribute('height')));
    const ends = bars.map(
      (bar) => Number(bar.getAttribute('y')) + Number(bar.getAttribute('height')),
    );
    expect(heights).toEqual([0, heights[2]! / 2, heights[2]]);
    expect(new Set(ends).size).toBe(1);
    expect(heights[2]).toBeLessThan(ends[0]!);
    expect(bars.map((bar) => bar.textContent)).toEqual([
      'Mar 1, 2026: 0',
      'Mar 2, 2026: 5',
      'Mar 3, 2026: 10',
    ]);
    const places = bars.map((bar) => Number(bar.getAttribute('x')));
    expect(places[1]! - places[0]!).toBeGreaterThanOrEqual(Number(bars[0]!.getAttribute('width')));
    expect(screen.getByText('Mar 1, 2026')).toBeVisible();
    expect(screen.getByText('Mar 3, 2026')).toBeVisible();
    // The bars have the same order on pages that are written from right to left.
    expect(screen.getByText('Mar 1, 2026').closest('[dir]')).toHaveAttribute('dir', 'ltr');
    expect(screen.queryByRole('link', { name: /^Openings by day/ })).toBeNull();
  });

  it('an entry names its action, and an unknown action by its own name', async () => {
    const entryOf = (action: number) => ({ ...entry, id: String(action), action });
    await openLog('', { listAccess: { ...pages, data: [1, 2, 3, 9].map(entryOf), totalPages: 1 } });
    await screen.findAllByText('Sales');
    const headers = screen.getAllByRole('columnheader').map((header) => header.textContent);
    expect(headers).toEqual(['Time', 'User', 'Report', 'Action']);
    const rows = screen.getAllByRole('row').slice(1) as HTMLTableRowElement[];
    expect(rows.map((row) => row.cells[3]!.textContent)).toEqual([
      'Opened',
      'Exported',
      'Viewed as',
      'open',
    ]);
  });

  it('an address with a page after the last shows the last page', async () => {
    const visited = history.length;
    const { sent } = await openLog('?reportId=r1&page=9', {
      listAccess: ({ page }) => ({
        ...pages,
        data: Number(page) > 2 ? [] : [entry],
        totalPages: 2,
      }),
    });
    await screen.findByText('Page 2 of 2');
    expect(location.search).toBe('?reportId=r1&page=2');
    expect(sent('listAccess').at(-1)).toEqual({ reportId: 'r1', page: '2' });
    // The Back button must not lead to the page that does not exist.
    expect(history.length).toBe(visited);
  });

  it('a filter keeps the others and returns to the first page, and all can be cleared', async () => {
    const { home, sent } = await openLog('?reportId=r1&page=2&other=x');
    await screen.findByText('Page 2 of 3');
    expect(sent('listAccess')).toEqual([{ reportId: 'r1', page: '2' }]);
    expect(screen.getByText('Only the report r1')).toBeVisible();
    type('User', ' west ');
    type('Report', ' Sales ');
    press('Filter');
    const typed = { user: 'west', reportName: 'Sales' };
    await waitFor(() => expect(search()).toEqual({ reportId: 'r1', other: 'x', ...typed }));
    await waitFor(() =>
      expect(sent('listAccess').at(-1)).toEqual({ reportId: 'r1', page: '1', ...typed }),
    );
    const exportAddress = screen.getByText('Export as CSV').closest('a')!.getAttribute('href')!;
    expect(exportAddress.split('?')[0]).toBe(
      `${home.replace('/admin', '/admin/api')}/access-log/export`,
    );
    type('Action', '2');
    await waitFor(() => expect(search()).toMatchObject({ action: '2', user: 'west' }));
    expect(screen.getByLabelText('User')).toHaveValue('west');
    expect(screen.getByLabelText('Report')).toHaveValue('Sales');
    expect(screen.getByLabelText('Action')).toHaveDisplayValue('Exported');
    press('Clear filters');
    await waitFor(() => expect(search()).toEqual({ other: 'x' }));
    expect(screen.queryByRole('button', { name: 'Clear filters' })).toBeNull();
    expect(screen.queryByText('Only the report r1')).toBeNull();
    press('Next page');
    await waitFor(() => expect(search()).toEqual({ other: 'x', page: '2' }));
  });

  it('the CSV export keeps each filter of the list', async () => {
    const filter = {
      user: 'west',
      reportName: 'Sales',
      reportId: 'r1',
      action: '2',
      from: '2026-01-01T00:00:00Z',
      to: '2026-02-01T00:00:00Z',
    };
    await openLog(`?${new URLSearchParams({ ...filter, page: '2' })}`);
    const address = (await screen.findByText('Export as CSV')).closest('a')!.href;
    expect(Object.fromEntries(new URL(address).searchParams)).toEqual(filter);
  });

  it.each([
    ['', /^An entry appears whenever a user opens or exports a report/, 0],
    ['?user=nobody', /^No entry matches the filters/, 1],
  ])('an empty log with the filter "%s" shows the reason', async (query, text, filters) => {
    await openLog(query, { listAccess: { ...pages, data: [], totalPages: 0 } });
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryAllByRole('button', { name: 'Clear filters' })).toHaveLength(filters);
  });
});

describe('the activity log', () => {
  const entry: AdminActivity = {
    id: 7,
    createdAt: '2026-03-01T12:00:00Z',
    actor: { kind: 'user', name: 'Ada' },
    action: 'createUser',
    subject: 'u1',
    subjectName: 'West',
    details: { role: 3 },
    refusal: null,
    count: 1,
    lastAt: '2026-03-01T12:00:00Z',
  };
  const openLog = (query: string, entries: Partial<AdminActivity>[], isEnd = true) =>
    openAdmin(`/activity-log${query}`, {
      listActivity: { entries: entries.map((part) => ({ ...entry, ...part })), isEnd },
    });

  it('an entry says who did what, with which result', async () => {
    await openLog('', [
      {},
      {
        id: 6,
        actor: { kind: 'api-key', name: null },
        subjectName: null,
        details: null,
        refusal: 'missing_permission',
        count: 3,
      },
      {
        id: 5,
        actor: { kind: 'anonymous', name: null },
        action: 'signIn',
        subject: '',
        subjectName: null,
        details: { reason: 'other_person' },
        refusal: 'sign_in_failed',
      },
      { id: 4, subjectName: null, details: { reason: 'unknown' }, refusal: 'invalid_request' },
    ]);
    const rows = (await screen.findAllByRole('row')).slice(1) as HTMLTableRowElement[];
    const read = (node: Element) => node.textContent.replace(/\s+/g, ' ');
    expect(rows.map((row) => [...row.cells].slice(2).map(read))).toEqual([
      ['Ada', 'Done'],
      ['A deleted key', 'Refused 3 times: missing_permission'],
      [
        'Not signed in',
        'Refused: sign_in_failedAnother person confirmed the sign-in. Confirm it as the person who is signed in.',
      ],
      ['Ada', 'Refused: invalid_request'],
    ]);
    // A narrow screen shows actor and time here, not in their own columns.
    expect(rows.map((row) => [...row.cells[1]!.children].map(read))).toEqual([
      [
        'Create a user',
        'West',
        'Ada · Mar 1, 2026, 12:00 PM',
        expect.stringContaining('"role": 3'),
      ],
      ['Create a user', 'u1', expect.stringContaining('A deleted key'), expect.anything()],
      [
        'Sign in',
        expect.stringContaining('Not signed in'),
        expect.stringContaining('other_person'),
      ],
      ['Create a user', 'u1', expect.anything(), expect.stringContaining('"unknown"')],
    ]);
    expect(read(rows[0]!.querySelector('details')!)).toBe(
      'Details{ "action": "createUser", "subject": "u1", "details": { "role": 3 } }',
    );
    expect(screen.queryByRole('button', { name: 'Older entries' })).toBeNull();
  });

  it('the operation of the address is in its field, and an unknown one keeps its name', async () => {
    await openLog('?action=createUser', [{}, { id: 3, action: 'ofALaterRelease' }]);
    await screen.findAllByText('ofALaterRelease');
    expect(screen.getByRole('combobox', { name: 'Operation' })).toHaveValue('Create a user');
  });

  it('operations are chosen by their words, those of recent entries first', async () => {
    await openLog('', [{ id: 9, action: 'rotateApiKey' }, { id: 8 }, { id: 7 }]);
    await screen.findAllByText('Create a user');
    fireEvent.click(screen.getByRole('combobox', { name: 'Operation' }));
    const options = await screen.findAllByRole('option', { hidden: true });
    expect(options.slice(0, 2).map((option) => option.textContent)).toEqual([
      'Create a user',
      'Rotate an API key',
    ]);
    expect(options).toHaveLength(operations.length);
  });

  it('older entries follow the last one, and a filter starts at the newest entries', async () => {
    const { answers, sent } = await openLog(
      '?refused=true',
      [{ id: 9, action: 'rotateApiKey' }, { id: 8 }],
      false,
    );
    fireEvent.click(await screen.findByRole('button', { name: 'Older entries' }));
    await waitFor(() => expect(search()).toEqual({ refused: 'true', before: '8' }));
    await waitFor(() =>
      expect(sent('listActivity')).toContainEqual({ refused: 'true', beforeId: '8' }),
    );
    const choose = async (typed: string, name: string) => {
      const field = screen.getByRole('combobox', { name: 'Operation' });
      fireEvent.click(field);
      fireEvent.change(field, { target: { value: typed } });
      fireEvent.click(await screen.findByRole('option', { name, hidden: true }));
    };
    await choose('create a us', 'Create a user');
    await waitFor(() => expect(search()).toEqual({ action: 'createUser', refused: 'true' }));
    fireEvent.click(screen.getByRole('switch', { name: 'Refused only' }));
    await waitFor(() => expect(search()).toEqual({ action: 'createUser' }));
    expect(screen.queryByText('No entries')).toBeNull();
    answers.listActivity = { entries: [], isEnd: true };
    await choose('rot', 'Rotate an API key');
    await waitFor(() => expect(search()).toEqual({ action: 'rotateApiKey' }));
    expect(await screen.findByText(/^No entry matches the filters/)).toBeVisible();
    expect(screen.queryByRole('table')).toBeNull();
  });

  it.each([
    ['', /^An entry appears whenever an API key, a user or an operator changes something/],
    ['?refused=true', /^No entry matches the filters/],
  ])('an empty activity log with the filter "%s" shows the reason', async (query, text) => {
    await openLog(query, []);
    expect(await screen.findByText(text)).toBeVisible();
  });
});
