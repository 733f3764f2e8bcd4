import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import type { FilterField } from '../../../../wire/reader-view.ts';
import { createSampleApi, openViewer } from '../../test/open-viewer.tsx';
import { reportSession, salesView } from '../../test/samples.ts';

/** Opens the choices of a field, as a browser does. jsdom has no popovers. */
async function openChoices(field: FilterField) {
  const api = createSampleApi();
  api.viewReport.mockImplementation(async (_, { view }) => ({
    ...salesView,
    dataAsOf: '2017-12-30',
    filterFields: [field],
    readerFilters: (view?.filters ?? []).map(({ values }) => ({
      field: field.name,
      values: values.map((value) => (value === null ? null : String(value))),
    })),
  }));
  await openViewer(reportSession, api).start();
  const button = screen.getByRole('button', { name: field.name });
  const panel = document.getElementById(button.getAttribute('popovertarget')!)!;
  fireEvent(panel, Object.assign(new Event('toggle'), { newState: 'open' }));
  await within(panel).findByText('Close');
  const filters = () => api.viewReport.mock.lastCall![1].view?.filters;
  const hide = vi.fn();
  panel.hidePopover = hide;
  return { api, button, panel, hide, choices: within(panel), filters };
}
const hidden = { hidden: true };

describe('the choices of a field', () => {
  it('the choices of a field of text are its values with the number of their rows, and several can be chosen', async () => {
    const { button, choices, filters } = await openChoices({ name: 'Region', type: 'text' });
    await userEvent.click(await choices.findByLabelText(/^West\s*3,203$/));
    await userEvent.click(choices.getByLabelText(/^\(blank\)/));
    await vi.waitFor(() =>
      expect(filters()).toEqual([{ field: 'Region', values: ['West', null] }]),
    );
    expect(button).toHaveTextContent('Region: West or (blank)');
    await userEvent.click(choices.getByText('All'));
    await vi.waitFor(() => expect(button).toHaveTextContent(/^Region$/));
  });

  it('the choices of a field of dates are periods until the date of the data, and the button names the period', async () => {
    const { button, panel, choices, filters } = await openChoices({
      name: 'Ordered',
      type: 'date',
    });
    expect(panel).toHaveTextContent('Data as of Dec 30, 2017');
    await userEvent.click(choices.getByLabelText('last 12 months'));
    await vi.waitFor(() =>
      expect(filters()).toEqual([{ field: 'Ordered', values: ['last 12 months'] }]),
    );
    expect(button).toHaveTextContent('Ordered: last 12 months');
  });

  it('the choices of a field of numbers are a range, in which one end may be open, and close when it is applied', async () => {
    const { button, hide, choices, filters } = await openChoices({
      name: 'Sales',
      type: 'number',
    });
    await userEvent.type(choices.getByRole('spinbutton', { name: 'From', ...hidden }), '20');
    await userEvent.click(choices.getByText('Apply'));
    await vi.waitFor(() => expect(filters()).toEqual([{ field: 'Sales', values: ['20..'] }]));
    expect(button).toHaveTextContent('Sales: from 20');
    expect(hide).toHaveBeenCalledOnce();
  });

  it.each([
    ['date', '2017-03-01', '2017-02-01', '9999-12-31'],
    ['number', '3', '2', null],
  ] as const)(
    'a range of the type %s that ends before it begins is not applied, and the first end is marked until it changes',
    async (type, first, last, most) => {
      const { api, hide, choices, filters } = await openChoices({ name: 'Field', type });
      const [from, to] = ['From', 'To'].map((name) =>
        choices.getByLabelText<HTMLInputElement>(name),
      );
      expect(from).toHaveProperty('step', type === 'number' ? 'any' : '');
      for (const end of [from!, to!]) expect(end.getAttribute('max')).toBe(most);
      const requests = api.viewReport.mock.calls.length;
      fireEvent.change(from!, { target: { value: first } });
      fireEvent.change(to!, { target: { value: last } });
      await userEvent.click(choices.getByText('Apply'));
      expect(choices.getByRole('alert', hidden)).toHaveTextContent(/From/);
      expect(from).toHaveFocus();
      expect(from).toBeInvalid();
      expect(api.viewReport).toHaveBeenCalledTimes(requests);
      expect(hide).not.toHaveBeenCalled();
      fireEvent.change(to!, { target: { value: first } });
      expect(choices.queryByRole('alert', hidden)).toBeNull();
      await userEvent.click(choices.getByText('Apply'));
      const range = `${first}..${first}`;
      await vi.waitFor(() => expect(filters()).toEqual([{ field: 'Field', values: [range] }]));
      await vi.waitFor(() =>
        expect(choices.getByLabelText<HTMLInputElement>('To').value).toBe(first),
      );
    },
  );

  it('a range without ends is no filter', async () => {
    const { choices, filters } = await openChoices({ name: 'Sales', type: 'number' });
    const apply = async (value: string) => {
      fireEvent.change(choices.getByLabelText('To'), { target: { value } });
      await userEvent.click(choices.getByText('Apply'));
    };
    await apply('20');
    await vi.waitFor(() => expect(filters()).toEqual([{ field: 'Sales', values: ['..20'] }]));
    await apply('');
    await vi.waitFor(() => expect(filters()).toBeUndefined());
  });
});
