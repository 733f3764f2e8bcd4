import { PortalEmbed, PortalEmbedProvider } from '@portal-embed/react';
import { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

const signIn = (
  <form method="post" action={`${import.meta.env.BASE_URL}sign-in`}>
    <button>Sign in</button>
  </form>
);

function Panes({ children }) {
  const [width, setWidth] = useState(200);
  // #region dragging
  const resize = ({ clientX }) => setWidth(clientX);
  const startDragging = () => {
    document.body.classList.add('is-dragging');
    const stop = () => {
      document.body.classList.remove('is-dragging');
      removeEventListener('pointermove', resize);
    };
    addEventListener('pointermove', resize);
    addEventListener('pointerup', stop, { once: true });
  };
  // #endregion
  return (
    <main>
      <nav style={{ width }}>Reports</nav>
      <hr onPointerDown={startDragging} />
      <div style={{ flex: 1 }}>{children}</div>
    </main>
  );
}

function Report() {
  const embed = useRef(null);
  const [message, setMessage] = useState('');
  return (
    <>
      <button onClick={() => embed.current.export('csv', 'Sales by month')}>Download</button>
      <output>{message}</output>
      <PortalEmbed
        ref={embed}
        reportId={import.meta.env.VITE_REPORT_ID}
        title="Reports"
        signedOut={signIn}
        onExport={({ format }) => setMessage(`${format} handed to the browser`)}
        onError={(error) => setMessage(error.message)}
      />
    </>
  );
}

// #region base-path
const application = (
  <PortalEmbedProvider endpoint={`${import.meta.env.BASE_URL}portal-embed/url`}>
    <Panes>
      <Report />
    </Panes>
  </PortalEmbedProvider>
);
// #endregion
createRoot(document.querySelector('#root')).render(application);
