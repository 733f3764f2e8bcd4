import type { ChartTile, Dimension } from '@portal-embed/report-model';
import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';

import { createSampleApi, openViewer } from '../../../test/open-viewer.tsx';
import { byCategory, pageOf, reportSession, salesView } from '../../../test/samples.ts';

const level = (name: string): Dimension => ({ name, field: name, kind: 'category' });

/** A chart of categories whose levels below are the owner, the city and the street. */
function answerDrills(): ReturnType<typeof createSampleApi> {
  const levels = ['Category', 'Owner', 'City', 'Street'].map(level);
  const api = createSampleApi();
  api.viewReport.mockImplementation(async (_, { view }) => {
    const keys = view?.drills[0]?.path ?? [];
    const next = levels[keys.length + 1];
    const tile: ChartTile = {
      ...byCategory,
      dimensions: [{ role: 'x', dimension: levels[keys.length]! }],
      drill: {
        path: keys.map((key, index) => ({ dimension: levels[index]!, key })),
        ...(next && { next }),
      },
    };
    return { ...salesView, page: pageOf(tile) };
  });
  return api;
}

async function openChart() {
  const api = answerDrills();
  await openViewer(reportSession, api).start();
  const chart = within(screen.getByRole('region', { name: byCategory.title }));
  const select = async () => {
    chart.getByRole('slider').focus();
    await userEvent.keyboard('{Enter}');
    await chart.findByText(/^Selected: Technology · Sales: \$/);
  };
  const selectSecond = async () => {
    chart.getByRole('slider').focus();
    fireEvent.change(chart.getByRole('slider'), { target: { value: '1' } });
    await userEvent.keyboard('{Enter}');
    await chart.findByText(/^Selected: Furniture · Sales: \$/);
  };
  const drill = async (name: string) => {
    await userEvent.click(chart.getByRole('button', { name: `Drill down to ${name}` }));
  };
  return { chart, select, selectSecond, drill, view: () => api.viewReport.mock.lastCall![1].view };
}

describe('the bar of a chart', () => {
  it('is absent until a mark is selected, and clears the selection', async () => {
    const { chart, select, view } = await openChart();
    expect(chart.queryByText(/^Selected/)).toBeNull();
    await select();
    expect(view()!.filters).toEqual([
      { field: 'Category', values: ['Technology'], tile: byCategory.id },
    ]);
    await userEvent.click(chart.getByRole('button', { name: 'Clear' }));
    expect(chart.queryByText(/^Selected/)).toBeNull();
  });

  it('a press of "Clear" by keyboard moves the focus back to the marks', async () => {
    const { chart, select } = await openChart();
    await select();
    chart.getByRole('button', { name: 'Clear' }).focus();
    await userEvent.keyboard('{Enter}');
    expect(chart.queryByText(/^Selected/)).toBeNull();
    expect(chart.getByRole('slider')).toHaveFocus();
  });

  it('a press of "Drill down" or of a level by keyboard moves the focus back to the marks', async () => {
    const { chart, select, view } = await openChart();
    await select();
    chart.getByRole('button', { name: 'Drill down to Owner' }).focus();
    await userEvent.keyboard('{Enter}');
    expect(chart.getByRole('slider')).toHaveFocus();
    (await chart.findByRole('button', { name: 'All' })).focus();
    await userEvent.keyboard('{Enter}');
    expect(view()).toBeUndefined();
    expect(chart.getByRole('slider')).toHaveFocus();
  });

  it('the slider of a chart announces its mark, and Space selects it', async () => {
    const { chart, drill, view } = await openChart();
    const slider = chart.getByRole('slider');
    expect(slider).toHaveAttribute('max', '2');
    slider.focus();
    fireEvent.change(slider, { target: { value: '2' } });
    expect(slider).toHaveAttribute('aria-valuetext', expect.stringMatching(/\(blank\).*\$12/));
    await userEvent.keyboard('x');
    expect(view()).toBeUndefined();
    await userEvent.keyboard(' ');
    await chart.findByText(/^Selected: .*\(blank\)/);
    expect(view()!.filters).toEqual([{ field: 'Category', values: [null], tile: byCategory.id }]);
    await drill('Owner');
    await vi.waitFor(() => expect(view()!.drills).toEqual([{ tile: byCategory.id, path: [null] }]));
  });

  it('leads down level by level, and back to any level', async () => {
    const { chart, select, selectSecond, drill, view } = await openChart();
    await select();
    await drill('Owner');
    await chart.findByRole('navigation', { name: 'Levels of Sales by category' });
    await selectSecond();
    await drill('City');
    await vi.waitFor(() =>
      expect(view()!.drills).toEqual([{ tile: byCategory.id, path: ['Technology', 'Furniture'] }]),
    );
    expect(view()!.filters.map(({ field, values }) => [field, values])).toEqual([
      ['Category', ['Technology']],
      ['Owner', ['Furniture']],
    ]);
    await selectSecond();
    await drill('Street');
    await vi.waitFor(() => expect(view()!.drills[0]!.path).toHaveLength(3));
    const levels = () =>
      chart.getAllByRole<HTMLButtonElement>('button', { name: /^(Technology|Furniture)$/ });
    await vi.waitFor(() =>
      expect(levels().map(({ disabled }) => disabled)).toEqual([false, false, true]),
    );
    await userEvent.click(levels()[0]!);
    await vi.waitFor(() =>
      expect(view()!.drills).toEqual([{ tile: byCategory.id, path: ['Technology'] }]),
    );
    await userEvent.click(chart.getByRole('button', { name: 'All' }));
    await vi.waitFor(() => expect(chart.queryByRole('navigation')).toBeNull());
  });
});
