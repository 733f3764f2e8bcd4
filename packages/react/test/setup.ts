import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

import { patience } from '../../tooling/vitest.patience.ts';

configure({ asyncUtilTimeout: patience.expect.poll.timeout });
afterEach(cleanup);
