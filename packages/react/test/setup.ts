import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

import { limits } from '../../tooling/vitest.limits.ts';

configure({ asyncUtilTimeout: limits.expect.poll.timeout });
afterEach(cleanup);
