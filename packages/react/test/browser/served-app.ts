import { hydrateRoot } from 'react-dom/client';

import { served } from './served.ts';

const root = document.querySelector('#root');
if (root?.firstChild) hydrateRoot(root, served);
