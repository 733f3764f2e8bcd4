export { createHostApp } from './app.ts';
export { readHostConfig, type HostConfig } from './config.ts';
export type { PageData } from './page-data.ts';
