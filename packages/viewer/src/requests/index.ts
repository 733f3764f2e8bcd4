export * from './reader-view.ts';
export * from './viewer.ts';
export * from './look.ts';
export { findAlike } from './palette.ts';
