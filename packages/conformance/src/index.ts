export { CouldNotRun } from './could-not-run.ts';
export { checkPortalConformance } from './portal/check-portal.ts';
export type { PortalOptions } from './portal/options.ts';
export { formatJunit } from './output/junit.ts';
export { exitCodeOf } from './output/report.ts';
export type { Report } from './output/report.ts';
export type { OutcomeKind, Result } from './rules/index.ts';
export { defaultLimits } from './http/limits.ts';
export type { Limits } from './http/limits.ts';
