export { createHostApp } from './app.ts';
export { readHostConfig, type HostConfig } from './config.ts';
