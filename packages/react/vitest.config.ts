import { defineProject } from 'vitest/config';

import { unitTests } from './test/unit-tests.ts';

export default defineProject(unitTests('react', '19'));
