import { act, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ServiceError } from 'page-kit/service-error';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { FilterField } from '../../requests/reader-view.ts';
import { createSampleApi, openViewer } from '../../test/open-viewer.tsx';
import { reportSession, sales, salesView } from '../../test/samples.ts';
import { emptyView } from './empty-view.ts';

/** Opens the choices of a field, as a browser does. jsdom has no popovers. */
async function openChoices(field: FilterField, api = createSampleApi()) {
  api.viewReport.mockImplementation(async (_, { view }) => ({
    ...salesView,
    dataAsOf: '2017-12-30',
    filterFields: [field],
    readerFilters: (view?.filters ?? []).map(({ values }) => ({
      field: field.name,
      type: field.type,
      values: values.map((value) => (value === null ? null : String(value))),
    })),
  }));
  return openShownChoices(field.name, api);
}

async function openShownChoices(name: string | RegExp, api: ReturnType<typeof createSampleApi>) {
  await openViewer(reportSession, api).start();
  const button = screen.getByRole('button', { name });
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
  it('of text are its values with the number of their rows, and several can be chosen', async () => {
    const { button, choices, filters } = await openChoices({ name: 'Region', type: 'text' });
    expect(button).toHaveAttribute('data-active', 'false');
    await userEvent.click(await choices.findByLabelText(/^West\s*3,203$/));
    await userEvent.click(choices.getByLabelText(/^\(blank\)/));
    await vi.waitFor(() =>
      expect(filters()).toEqual([{ field: 'Region', values: ['West', null] }]),
    );
    expect(button).toHaveTextContent('Region: West or (blank)');
    expect(button).toHaveAttribute('data-active', 'true');
    await userEvent.click(choices.getByText('All'));
    await vi.waitFor(() => expect(button).toHaveTextContent(/^Region$/));
  });

  it('without a chosen value, "All" is disabled, and "Close" closes the choices', async () => {
    const { choices, hide } = await openChoices({ name: 'Region', type: 'text' });
    expect(choices.getByText('All')).toBeDisabled();
    await userEvent.click(choices.getByText('Close'));
    expect(hide).toHaveBeenCalledOnce();
  });

  it('all values can be chosen in place of a default of the report', async () => {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue({
      ...salesView,
      filterFields: [{ name: 'Region', type: 'text', default: ['West'] }],
      readerFilters: [{ field: 'Region', type: 'text', values: ['West'] }],
    });
    const { choices, filters } = await openShownChoices('Region: West', api);
    await userEvent.click(choices.getByText('All'));
    await vi.waitFor(() => expect(filters()).toEqual([{ field: 'Region', values: [] }]));
  });

  it('chosen values that are not among the listed ones come first, and can be cleared', async () => {
    const api = createSampleApi();
    const { button, choices, filters } = await openChoices({ name: 'Region', type: 'text' }, api);
    const names = () =>
      choices.getAllByRole('checkbox', hidden).map((box) => box.closest('label')!.textContent);
    await userEvent.click(await choices.findByLabelText(/^West/));
    await userEvent.click(choices.getByLabelText(/^East/));
    await userEvent.click(choices.getByLabelText(/^\(blank\)/));
    await vi.waitFor(() => expect(button).toHaveTextContent('Region: 3 selected'));
    api.listValues.mockResolvedValue({ values: [{ key: 'East', count: 2848 }], valueCount: 3 });
    const search = choices.getByRole('searchbox', { name: 'Search Region', ...hidden });
    fireEvent.change(search, { target: { value: 'ea' } });
    await choices.findByText('and 2 more values: search for them.');
    expect(api.listValues.mock.lastCall![1]).toMatchObject({ field: 'Region', search: 'ea' });
    expect(names()).toEqual(['East2,848']);
    fireEvent.change(search, { target: { value: '' } });
    await vi.waitFor(() => expect(names()).toEqual(['West', '(blank)', 'East2,848']));
    await userEvent.click(choices.getByLabelText('West'));
    await vi.waitFor(() =>
      expect(filters()).toEqual([{ field: 'Region', values: ['East', null] }]),
    );
  });

  it('the values of a field are requested for the shown page and the view of the reader', async () => {
    const api = createSampleApi();
    api.viewReport.mockResolvedValue({
      ...salesView,
      filterFields: [{ name: 'Region', type: 'text' }],
      page: { ...salesView.page, index: 1 },
    });
    const { choices } = await openShownChoices('Region', api);
    const request = { field: 'Region', search: '', page: 1, view: emptyView };
    expect(api.listValues.mock.lastCall!.slice(0, 2)).toEqual([sales.id, request]);
    await userEvent.click(await choices.findByLabelText(/^West/));
    fireEvent.change(choices.getByRole('searchbox', hidden), { target: { value: 'ea' } });
    const view = { ...emptyView, filters: [{ field: 'Region', values: ['West'] }] };
    expect(api.listValues.mock.lastCall![1]).toEqual({ ...request, search: 'ea', view });
  });

  it('the late failure of an earlier search does not replace a later empty result', async () => {
    const api = createSampleApi();
    const { choices } = await openChoices({ name: 'Region', type: 'text' }, api);
    await choices.findByLabelText(/^West/);
    expect(choices.queryByText(/^and .* more/)).toBeNull();
    expect(choices.queryByText('No values found.')).toBeNull();
    const search = choices.getByRole('searchbox', hidden);
    let fail!: () => void;
    api.listValues.mockReturnValueOnce(
      new Promise((_, reject) => (fail = () => reject(new ServiceError('unreachable')))),
    );
    fireEvent.change(search, { target: { value: 'x' } });
    api.listValues.mockResolvedValue({ values: [], valueCount: 0 });
    fireEvent.change(search, { target: { value: 'xy' } });
    await choices.findByText('No values found.');
    await act(async () => fail());
    expect(choices.getByText('No values found.')).toBeInTheDocument();
    expect(choices.queryAllByRole('checkbox', hidden)).toEqual([]);
  });

  it.each([
    [new ServiceError('overloaded'), 'Too many reports are being computed'],
    [new TypeError('no list'), 'The portal could not answer'],
  ])('values that cannot be listed (%s) are replaced by the reason', async (error, text) => {
    const api = createSampleApi();
    let fail!: () => void;
    api.listValues.mockReturnValue(new Promise((_, reject) => (fail = () => reject(error))));
    const { choices } = await openChoices({ name: 'Region', type: 'text' }, api);
    expect(choices.getByRole('list', hidden)).toHaveAttribute('aria-busy', 'true');
    expect(choices.queryByText('No values found.')).toBeNull();
    fail();
    expect(await choices.findByText(text)).toBeInTheDocument();
  });

  it('a boolean field has no search, and its default is checked', async () => {
    const api = createSampleApi();
    api.listValues.mockResolvedValue({
      values: [
        { key: true, count: 2 },
        { key: false, count: 1 },
      ],
      valueCount: 2,
    });
    api.viewReport.mockResolvedValue({
      ...salesView,
      filterFields: [{ name: 'Active', type: 'boolean', default: ['true'] }],
      readerFilters: [{ field: 'Active', type: 'boolean', values: ['true'] }],
    });
    const { choices } = await openShownChoices('Active: Yes', api);
    expect(await choices.findByLabelText(/^Yes/)).toBeChecked();
    expect(choices.getAllByRole('checkbox', hidden)).toHaveLength(2);
    expect(choices.getByLabelText(/^No/)).not.toBeChecked();
    expect(choices.queryByRole('searchbox', hidden)).toBeNull();
  });

  it('the choices open below their button, and inside the page', async () => {
    const { button, panel } = await openChoices({ name: 'Region', type: 'text' });
    const open = (left: number) => {
      button.getBoundingClientRect = () => new DOMRect(left, 10, 80, 30);
      fireEvent(panel, Object.assign(new Event('toggle'), { newState: 'open' }));
      return panel.style.translate;
    };
    const clientWidth = vi.spyOn(document.documentElement, 'clientWidth', 'get');
    onTestFinished(() => clientWidth.mockRestore());
    clientWidth.mockReturnValue(1_000);
    vi.spyOn(panel, 'offsetWidth', 'get').mockReturnValue(300);
    expect([100, 900, 0].map(open)).toEqual(['100px 44px', '692px 44px', '8px 44px']);
    button.getBoundingClientRect = () => new DOMRect();
    fireEvent(panel, Object.assign(new Event('toggle'), { newState: 'closed' }));
    expect(panel.style.translate).toBe('8px 44px');
    expect(panel).toBeEmptyDOMElement();
    vi.stubGlobal('scrollX', 5);
    vi.stubGlobal('scrollY', 500);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(open(100)).toBe('105px 544px');
  });

  it('of dates are periods until the date of the data, and the button names the period', async () => {
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
    expect(choices.getByLabelText('last 12 months')).toBeChecked();
    expect(choices.getByLabelText('last 30 days')).not.toBeChecked();
  });

  it('of numbers are a range, in which one end may be open, and close when it is applied', async () => {
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
      expect(choices.queryByRole('alert', hidden)).toBeNull();
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

  it.each([
    [
      'date',
      'last 12 months',
      '2016-12-31T00:00:00..2017-12-30T00:00:00',
      '2016-12-31..2017-12-30',
    ],
    ['number', '12345678.25..98765432.5', '12345678.25..98765432.5', '12345678.25..98765432.5'],
    ['number', '5', '5', '5..5'],
    ['date', '2017-03-01', '2017-03-01', '2017-03-01..2017-03-01'],
  ] as const)(
    'the range of the type %s that the filter "%s" stands for can be applied as it is',
    async (type, filter, applied, chosen) => {
      const api = createSampleApi();
      api.viewReport.mockResolvedValue({
        ...salesView,
        filterFields: [{ name: 'Field', type, default: [filter] }],
        readerFilters: [
          // A selected mark is another filter of the field.
          { field: 'Field', type, values: ['0..0'], tile: '0.0.1' },
          { field: 'Field', type, values: [applied] },
        ],
      });
      const { choices, filters } = await openShownChoices(/^Field:/, api);
      // A form that the browser submits loads the page again.
      expect(fireEvent.submit(choices.getByText('Apply').closest('form')!)).toBe(false);
      await vi.waitFor(() => expect(filters()).toEqual([{ field: 'Field', values: [chosen] }]));
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
