import type { ReaderView } from '@portal-embed/report-model';

export type {
  AppliedFilter,
  FieldValues,
  FilterField,
  ReaderFilter,
  ReaderView,
  TileDrill,
  TileSearch,
  TileSort,
} from '@portal-embed/report-model';

/** Body of `POST /viewer/reports/{id}/values`, whose answer is a `FieldValues`. */
export interface ValuesRequest {
  /** A field of `filterFields`. */
  field: string;
  /** Only values that contain this text, in any letter case. */
  search?: string | undefined;
  /** The reader's other filters narrow the values. Default: nothing is chosen. */
  view?: ReaderView | undefined;
  /** Index of the page whose selected marks narrow the values. Default: 0. */
  page?: number | undefined;
}
