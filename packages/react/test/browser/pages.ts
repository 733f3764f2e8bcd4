/** A minimal page with the frame channel. `onConnect` is code that can use `connect` and `port`. */
export const createPortalPage = (body: string, onConnect = '') => `<!doctype html>
<html lang="en"><title>Portal</title>
<script>
  addEventListener('message', ({ data: connect, ports: [port] }) => {
    if (connect?.type !== 'connect') return;
    window.connect = connect;
    window.received = [];
    window.say = (message) => port.postMessage(message);
    port.onmessage = ({ data }) => received.push(data);
    ${onConnect}
  });
  parent.postMessage({ portalEmbed: 1, type: 'boot' }, '*');
</script>
<body>${body}</body></html>`;

/** A report that sends its position and restores the one of `connect`. */
export const readyPage = (token: string) =>
  createPortalPage(
    `<h1>Report ${token}</h1><button>Inside</button>`,
    `history.replaceState(null, '', '/organizations/o/reports/r');
     say({ type: 'ready', unappliedFilters: [] });
     say({ type: 'state', state: connect.state ?? { path: location.pathname, scroll: 0 } });`,
  );

export const spentPage = (reason: string) =>
  createPortalPage(
    '<h1>This link has been used or has expired</h1>',
    `say({ type: 'session-required', reason: '${reason}' });`,
  );
