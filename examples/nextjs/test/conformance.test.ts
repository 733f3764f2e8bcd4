import { testHostConformance } from 'test-support/host-conformance';

import { startNext } from './running-app.ts';

testHostConformance(startNext);
