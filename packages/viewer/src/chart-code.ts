import type { ChartTile, ScatterTile } from '@portal-embed/report-model';
import type { ComponentProps, ComponentType, KeyboardEvent } from 'react';

import type { Palette } from './charts/palette.ts';
import { describePoints } from './report/tiles/describe-points.ts';
import { describeRows } from './report/tiles/describe-rows.ts';
import { DrawnTile } from './report/tiles/DrawnTile.tsx';
import { FitRows } from './report/tiles/FitRows.tsx';
import { MarkBar } from './report/tiles/marks/MarkBar.tsx';
import { MarkKeys } from './report/tiles/marks/MarkKeys.tsx';
import { moveFocus } from './report/tiles/marks/move-focus.ts';
import { SelectedMarks } from './report/tiles/marks/SelectedMarks.tsx';
import { TableSearch } from './report/tiles/TableSearch.tsx';
import { showTips } from './tips.ts';

/** Code that loads after numbers and tables are shown: charts, and the selection of marks. */
export interface ChartCode {
  DrawnTile: ComponentType<{ tile: ChartTile | ScatterTile; palette: Palette }>;
  MarkBar: ComponentType<ComponentProps<typeof MarkBar>>;
  SelectedMarks: ComponentType<ComponentProps<typeof SelectedMarks>>;
  TableSearch: ComponentType<ComponentProps<typeof TableSearch>>;
  FitRows: ComponentType<ComponentProps<typeof FitRows>>;
  MarkKeys: ComponentType<ComponentProps<typeof MarkKeys>>;
  moveFocus: (event: KeyboardEvent<HTMLButtonElement>) => void;
  showTips: typeof showTips;
  describePoints: typeof describePoints;
  describeRows: typeof describeRows;
}

export const chartCode: ChartCode = {
  DrawnTile,
  MarkBar,
  TableSearch,
  FitRows,
  MarkKeys,
  SelectedMarks,
  moveFocus,
  showTips,
  describePoints,
  describeRows,
};
