/** `npm run build`: everything that is published or started. */
import { build, install } from './prepare.mjs';

install();
build();
