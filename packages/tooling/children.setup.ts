import { typescriptChildren } from './vitest.children.ts';

// An `env` of the project would apply to the workers, too, whose imports would wait for the loader.
Object.assign(process.env, typescriptChildren);
