export * from './definition.ts';
export * from './predicate.ts';
export * from './tiles.ts';
