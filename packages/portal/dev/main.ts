/** The portal from its sources, behind the Vite server of its pages. */
import { run } from '../src/cli/run.ts';
import { serve } from '../src/cli/serve.ts';
import { readConfig } from '../src/config.ts';
import { sourceAssets } from './assets.ts';

await serve(readConfig(process.env), run, sourceAssets);
