import type { ChartTile, ScatterTile } from '@portal-embed/report-model';
import type { ComponentType } from 'react';

import { DrawnTile } from '../report/tiles/DrawnTile.tsx';
import type { Palette } from './palette.ts';

/** The code that only charts need. Numbers and tables do not wait for it. */
export interface ChartCode {
  DrawnTile: ComponentType<{ tile: ChartTile | ScatterTile; palette: Palette }>;
}

export const chartCode: ChartCode = { DrawnTile };
