export * from './rule.ts';
export * from './run-rules.ts';
export * from './specification.ts';
