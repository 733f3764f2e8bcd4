import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './admin/styles/admin.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';

import { AdminApp } from './admin/AdminApp.tsx';
import { loadFormats } from './admin/messages/messages.ts';

// Of the script element, because browsers hide the attribute from other scripts.
const { nonce } = document.querySelector<HTMLScriptElement>('script[nonce]') ?? { nonce: '' };
// For the styles that keep the page behind a dialog from scrolling.
setNonce(nonce);

async function begin() {
  const formats = await loadFormats(navigator.languages);
  document.documentElement.lang = formats.language;
  createRoot(document.getElementById('admin')!).render(
    <AdminApp formats={formats} nonce={nonce} />,
  );
}

void begin();
