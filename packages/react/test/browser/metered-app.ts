import './meter.ts';
import { version } from 'react';

import './app.ts';

declare global {
  interface Window {
    reactVersion: string;
  }
}
window.reactVersion = version;
