export type { Issue } from './issues/issue.ts';
export { resolveDataset, resolveInSteps } from './check/resolve-dataset.ts';
export { checkTexts } from './check/markdown.ts';
export { describeUnknown } from './issues/nearest.ts';
export { checkCrossProducts, checkLookUps, listConditionFields } from './check/check-predicate.ts';
export { checkRounded, listRoundedFields, type RoundedField } from './check/rounded.ts';
export { resolveReport } from './check/resolve-report.ts';
export { checkSize } from './check/size.ts';
export type {
  DraftDataset,
  Member,
  NumericType,
  ResolvedDataset,
  ResolvedDimension,
  ResolvedField,
  ResolvedFilter,
  ResolvedMetric,
  ResolvedPage,
  ResolvedPivotTile,
  ResolvedReport,
  ResolvedTableTile,
  ResolvedTile,
} from './check/resolved.ts';
export * from './computed/computed-tiles.ts';
export {
  parseDateFormat,
  type DateFormat,
  type DateFormatPart,
  type Placeholder,
} from './expression/date-format.ts';
export { ExpressionError } from './expression/error.ts';
export { listParts } from './expression/measure.ts';
export { parseExpression } from './expression/parse-expression.ts';
export { writeName } from './expression/tokens.ts';
export { isNumeric } from './expression/types.ts';
export * from './expression/tree.ts';
export type { ConditionalFormat } from './files/conditional-format.ts';
export * from './files/dataset.ts';
export { splitLink } from './files/link.ts';
export { maxNameLength } from './files/names.ts';
export { describePath } from './files/paths.ts';
export type {
  FieldOptions,
  FileOptions,
  FileQuestion,
  Interpretation,
  Question,
  ReadColumn,
  ReadValue,
} from './files/questions.ts';
export { parseDatasetFile, parseReportFile } from './files/parse-files.ts';
export * from './files/report.ts';
export {
  csvSchema,
  encodings,
  type ConnectionDatasetSource,
  type CsvOptions,
  type DatasetSource,
  type Encoding,
  type FileDatasetSource,
} from './files/source.ts';
export { xlsxSchema, type XlsxOptions } from './files/xlsx.ts';
export { isWorkbook } from './files/paths.ts';
export { formatSchema, type FormatOptions } from './files/format.ts';
export {
  grains,
  isCyclic,
  tileSchema,
  type CyclicGrain,
  type Grain,
  type TileDefinition,
  type TileType,
} from './files/tiles.ts';
export * from './files/predicate.ts';
export { parseFilterValue, type FilterValue, type PeriodUnit } from './filters/value.ts';
export type { RoleText } from './view/role-text.ts';
export type {
  AppliedFilter,
  FieldValues,
  FilterField,
  ReaderFilter,
  ReaderView,
  TileDrill,
  TileSearch,
  TileSort,
} from './view/reader-view.ts';
