export { findChromium, launchBlockingCookies, launchChromium } from './chromium.ts';
export { localhostAgent, send, type Answer } from './localhost.ts';
export { findFreePort, findPostgres, startPostgres, type PostgresCluster } from './postgres.ts';
