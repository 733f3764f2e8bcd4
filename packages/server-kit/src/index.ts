export { isDiskFull, isMissing, isNotPermitted } from './file-errors.ts';
export { HelperProcesses, lowerPriority, ProcessEndedError } from './helper-processes.ts';
export { getInternals } from './postgres/internals.ts';
export { explainTlsFailure, type TlsFailure } from './postgres/tls-failures.ts';
export { withVerifiedTls } from './postgres/verified-tls.ts';
