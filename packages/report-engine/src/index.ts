export type { CacheSettings } from './cache/query-cache.ts';
export type { CatalogueAccess } from './catalogue-access.ts';
export type { Finding } from './connections/connection.ts';
export type { ConnectionLimits, Connections } from './connections/connections.ts';
export { createConnection, openConnections } from './connections/open.ts';
export type { ConnectionSettings } from './connections/settings.ts';
export type { DatasetContent } from './content.ts';
export { stageCopies } from './storage/copies.ts';
export { DataFileError } from './storage/data-file-error.ts';
export type { KeptColumns, StoredSource } from './data-files/data-files.ts';
export {
  FileTooLargeError,
  keepMs,
  versions,
  type Description,
  type Files,
  type LocalFile,
  type OrganizationFiles,
} from './storage/files.ts';
export { overlayOriginals } from './storage/overlay-originals.ts';
export { summarizeVersions } from './data-files/versions.ts';
export { matchesPattern, requireFew } from './storage/file-pattern.ts';
export { folderFiles, removeFolder } from './storage/folder-files.ts';
export { copyFile, sync } from './storage/local-file.ts';
export { describeQuestion } from './data-files/describe-question.ts';
export { listStoredQuestions } from './data-files/stored-questions.ts';
export { DraftError } from './drafts/draft-error.ts';
export type { Answers } from './drafts/describe-file.ts';
export { draftContent, initContent, toSlug, type Draft, type InitResult } from './drafts/drafts.ts';
export { writeReport } from './drafts/write-report.ts';
export type { EngineSettings } from './engine/engine.ts';
export { QueryTurns, type Owner } from './limits/turns.ts';
export type { DataSummary, FileColumn, FileHint, FileProblem, RepeatedKey } from './files/tasks.ts';
export { FileError, watchFiles, type WatchedFile } from './files/data-file.ts';
export { listLookUps } from './plan/roles.ts';
export { builtin } from './description.ts';
export { builtinPlatform } from './platform.ts';
export type { RoleRows } from './request.ts';
export {
  ConnectionSourceError,
  type OrganizationConnections,
} from './sources/connection-sources.ts';
export type { LookUpKey, ReaderTexts } from './look-up-keys.ts';
export {
  findKeysOf,
  listUnreadableTexts,
  storeSourceOf,
  type SourceOptions,
} from './sources/sources.ts';
