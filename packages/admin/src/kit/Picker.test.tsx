import { createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { AdminAnswer } from '../requests/endpoints.ts';
import { openAdmin, refuse, type Answers } from '../test/open-admin.tsx';

const holders = ['East', 'West'].map((name) => ({
  kind: 'group' as const,
  id: name,
  name,
  email: null,
}));
const user = { kind: 'user' as const, id: 'u1', name: 'Wendy', email: 'wendy@acme.example' };

/** Opens the picker of those who may open a report. */
async function openPicker(findHolders: Answers['findHolders'] = { holders: [user, ...holders] }) {
  const page = await openAdmin('/reports/r1/edit#/access', {
    readReport: { id: 'r1', name: 'Sales' } as AdminAnswer<'readReport'>,
    listReportAccess: { groups: [], users: { items: [], totalCount: 0, totalPages: 0 } },
    changeReportAccess: {},
    findHolders,
  });
  const field = await screen.findByRole('combobox', { name: 'Give access to a user or group' });
  /** Presses a key. Returns whether the field handles it instead of the browser. */
  const press = (key: string, init = {}) => {
    const event = createEvent.keyDown(field, { key, ...init });
    fireEvent(field, event);
    return event.defaultPrevented;
  };
  const type = (value: string) => fireEvent.change(field, { target: { value } });
  const options = () =>
    screen.queryAllByRole('option', { hidden: true }).map((option) => option.textContent);
  const active = () =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? 'none')?.textContent;
  return { ...page, field, press, type, options, active };
}

describe('a picker', () => {
  it('the choices of a picker are in groups, in their order, and open with the focus', async () => {
    const { field, options, active } = await openPicker();
    expect(field).toHaveAttribute('aria-expanded', 'false');
    fireEvent.focus(field);
    await waitFor(() => expect(options()).toEqual(['East', 'West', 'Wendy (wendy@acme.example)']));
    expect(field).toHaveAttribute('aria-expanded', 'true');
    expect(screen.getByRole('listbox', { hidden: true })).toHaveTextContent(
      /^GroupsEastWestUsersWendy/,
    );
    expect(active()).toBeUndefined();
  });

  it('the arrow keys go around the choices, and other keys type', async () => {
    const { press, options, active } = await openPicker();
    expect(press('w')).toBe(false);
    expect(options()).toEqual([]);
    expect(press('ArrowDown')).toBe(true);
    await waitFor(() => expect(options()).toHaveLength(3));
    const names = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp'].map((key) => {
      press(key);
      return active();
    });
    expect(names).toEqual([
      'East',
      'West',
      'Wendy (wendy@acme.example)',
      'East',
      'Wendy (wendy@acme.example)',
    ]);
    expect(press('Escape')).toBe(true);
    await waitFor(() => expect(options()).toEqual([]));
    press('ArrowUp');
    await waitFor(() => expect(options()).toHaveLength(3));
  });

  it('the arrow up begins at the last choice, which is scrolled into view', async () => {
    const { field, press, options, active } = await openPicker();
    const scroll = vi.spyOn(HTMLElement.prototype, 'scrollIntoView');
    onTestFinished(() => scroll.mockRestore());
    fireEvent.focus(field);
    await waitFor(() => expect(options()).toHaveLength(3));
    press('ArrowUp');
    expect(active()).toBe('Wendy (wendy@acme.example)');
    expect(scroll.mock.contexts).toEqual([
      screen.getByRole('option', { name: active()!, hidden: true }),
    ]);
  });

  it('Enter chooses the first answer to the typed text, and never that to an earlier one', async () => {
    const { field, press, type, options, active, sent } = await openPicker(({ search = '' }) => ({
      holders: holders.filter(({ name }) => name.toLowerCase().includes(search)),
    }));
    fireEvent.focus(field);
    await waitFor(() => expect(options()).toEqual(['East', 'West']));
    type('west');
    expect(options()).toEqual([]);
    expect(screen.getByText('Loading…')).toBeInTheDocument();
    press('Enter');
    await waitFor(() => expect(active()).toBe('West'));
    expect(sent('changeReportAccess')).toEqual([]);
    expect(press('Enter', { isComposing: true })).toBe(false);
    expect(press('Enter', { keyCode: 229 })).toBe(false);
    expect(press('Enter')).toBe(true);
    expect(field).toHaveValue('');
    await waitFor(() =>
      expect(sent('changeReportAccess')).toEqual([
        { reportId: 'r1', kind: 'group', id: 'West', isLinked: true },
      ]),
    );
    expect(await screen.findByText('West can open this report.')).toBeVisible();
  });

  it('Enter chooses nothing while the answer to the typed text is awaited', async () => {
    let isAsked = false;
    const { field, press, type, options, active, sent } = await openPicker(({ search }) => {
      if (search === undefined) return { holders };
      isAsked = true;
      return new Promise<Response>(() => {});
    });
    fireEvent.focus(field);
    await waitFor(() => expect(options()).toEqual(['East', 'West']));
    type('west');
    await waitFor(() => expect(isAsked).toBe(true));
    press('Enter');
    expect(active()).toBeUndefined();
    expect(field).toHaveValue('west');
    expect(sent('changeReportAccess')).toEqual([]);
  });

  it('that is left forgets the typed text', async () => {
    const { field, type, options } = await openPicker();
    fireEvent.focus(field);
    type('e');
    fireEvent.blur(field);
    expect(field).toHaveValue('');
    await waitFor(() => expect(options()).toEqual([]));
  });

  it.each([
    [{ holders: [] }, 'Nothing matches.'],
    [refuse(500, 'internal_error'), 'This did not work'],
  ])('without choices says why: %#', async (answer, text) => {
    const { field } = await openPicker(answer);
    fireEvent.focus(field);
    expect(await screen.findByText(text)).toBeInTheDocument();
  });
});
