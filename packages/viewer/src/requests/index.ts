export * from './reader-view.ts';
export * from './viewer.ts';
