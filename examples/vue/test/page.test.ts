import { testFrontEnd } from '../../express-react/test/front-end.ts';
import { createApp } from '../src/app.ts';

testFrontEnd(createApp);
