import { fileURLToPath } from 'node:url';

import { testHostConformance } from 'test-support/host-conformance';
import { reportId, serve } from 'test-support/host-example';

import { createHostApp } from '../src/app.ts';
import { readHostConfig } from '../src/config.ts';
import { signIn } from './demo.ts';

// The examples of Vue and plain HTML have the same host application.
const page = fileURLToPath(new URL('../../html/page', import.meta.url));

testHostConformance(
  async (env) =>
    serve(
      createHostApp(
        readHostConfig({
          ...env,
          HOST_SESSION_SECRET: env.SESSION_SECRET,
          SALES_REPORT_ID: reportId,
          FLIGHTS_REPORT_ID: reportId,
        }),
        page,
      ),
    ),
  {
    signIn: (port) => signIn(`http://acme.localhost:${port}`, 'west@acme.example'),
    hasLock: false,
  },
);
