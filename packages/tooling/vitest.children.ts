const preload = new URL('run-sources.mjs', import.meta.url).href;

/** Processes that the code under test starts run sources, since Node 20 runs no TypeScript. */
export const typescriptChildren = { NODE_OPTIONS: `--conditions=source --import ${preload}` };
