import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import type { PageData } from '../src/page-data.ts';
import { SignIn } from './SignIn.tsx';
import { Workbench } from './Workbench.tsx';

import './host.css';

const data = JSON.parse(document.querySelector('#page-data')!.textContent) as PageData;
document.title = `${data.tenant}: reports`;

createRoot(document.querySelector('#root')!).render(
  <StrictMode>
    {data.user ? <Workbench data={data} user={data.user} /> : <SignIn data={data} />}
  </StrictMode>,
);
