import { unitTests } from './test/unit-tests.ts';

export default unitTests({ name: 'react', env: { REACT_MAJOR: '19' } });
