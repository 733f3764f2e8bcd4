export { findChromium, launchBlockingCookies, launchChromium, launchHeadless } from './chromium.ts';
export { findFreePort } from './free-port.ts';
export { localhostAgent, send, type Answer } from './localhost.ts';
export { createLogCollector } from './log-collector.ts';
export { findPostgres, startPostgres, type PostgresCluster } from './postgres.ts';
export { createTemporaryFolder } from './temporary-folder.ts';
