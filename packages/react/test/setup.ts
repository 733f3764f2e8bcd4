import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Ends a wait that is in vain, which on a busy machine is known late.
configure({ asyncUtilTimeout: 20_000 });
afterEach(cleanup);
