export * from './platform.ts';
export { writeTile } from './tile-json.ts';
