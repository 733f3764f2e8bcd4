import 'page-kit/styles/tokens.css';
import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './styles/admin.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';

import { AdminApp } from './AdminApp.tsx';
import { loadFormats } from './messages/messages.ts';

// Read from the script element's property, because browsers hide the attribute.
const { nonce } = document.querySelector<HTMLScriptElement>('script[nonce]') ?? { nonce: '' };
// For the style element that stops the page behind a dialog from scrolling.
setNonce(nonce);

async function begin() {
  const formats = await loadFormats(navigator.languages);
  document.documentElement.lang = formats.language;
  createRoot(document.getElementById('admin')!).render(
    <AdminApp formats={formats} nonce={nonce} />,
  );
}

void begin();
