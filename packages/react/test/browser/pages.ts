/** The least page that speaks the frame channel. `onConnect` runs with `connect` and `port`. */
export const speakingPage = (body: string, onConnect = '') => `<!doctype html>
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

/** A report that tells its place, and comes back to the one it is given. */
export const readyPage = (token: string) =>
  speakingPage(
    `<h1>Report ${token}</h1><button>Inside</button>`,
    `history.replaceState(null, '', '/organizations/o/reports/r');
     say({ type: 'ready', unappliedFilters: [] });
     say({ type: 'state', state: connect.state ?? { path: location.pathname, scroll: 0 } });`,
  );

export const spentPage = (reason: string) =>
  speakingPage(
    '<h1>This link cannot be used any more</h1>',
    `say({ type: 'session-required', reason: '${reason}' });`,
  );
