export {
  ReaderViewError,
  ReportError,
  UnappliedFiltersError,
  UnknownTileError,
  type FailureReason,
} from './errors.ts';
export { maxFrameKeyLength, type Frame, type Frames, type Held, type Kept } from './frame.ts';
export type {
  Opened,
  OpenOptions,
  PlatformDescription,
  QueryUsage,
  Refused,
  ReportPlatform,
} from './platform.ts';
export type {
  CustomFilter,
  Reading,
  Rows,
  StoredDataset,
  StoredReport,
  Viewer,
} from './reading.ts';
export { serializeTile } from './tile-json.ts';
export type {
  ComputedReport,
  ExportColumn,
  ExportHead,
  ExportedTile,
  ExportRequest,
  PageRequest,
  Tiles,
  ValuesRequest,
} from './tiles.ts';
