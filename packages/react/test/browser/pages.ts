/** A minimal page with the frame channel. `onConnect` is code that can use `connect` and `port`. */
export const createPortalPage = (
  body: string,
  onConnect = '',
  accepts: string[] = [],
) => `<!doctype html>
<html lang="en"><title>Portal</title>
<script>
  addEventListener('message', ({ data: connect, ports: [port] }) => {
    if (connect?.type !== 'connect') return;
    window.connect = connect;
    window.received = [];
    window.say = (message) => port.postMessage(message);
    addEventListener('pagehide', ({ persisted }) => persisted || say({ type: 'leaving' }));
    port.onmessage = ({ data }) => {
      if (data.type === 'open') void open(data);
      else received.push(data);
    };
    let latestId;
    const open = async ({ url, id }) => {
      latestId = id;
      const token = new URL(url).searchParams.get('token');
      const answer = await fetch('/identity?token=' + token, { method: 'POST' }).catch(() => {});
      if (id !== latestId) return;
      if (!answer?.ok)
        return say({ type: 'session-required', id, reason: answer ? 'used' : 'unknown' });
      document.querySelector('h1').textContent = 'Report ' + token;
      window.openId = id;
      say({ type: 'ready', id, unappliedFilters: [] });
    };
    ${onConnect}
  });
  parent.postMessage({ portalEmbed: 1, type: 'boot', accepts: ${JSON.stringify(accepts)} }, '*');
</script>
<body>${body}</body></html>`;

/** A report that sends its position and restores the one of `connect`. */
export const readyPage = (token: string) =>
  createPortalPage(
    `<h1>Report ${token}</h1><button>Inside</button>`,
    `history.replaceState(null, '', '/organizations/o/reports/r');
     say({ type: 'ready', unappliedFilters: [] });
     say({ type: 'view', view: connect.view ?? '', scroll: connect.scroll ?? 0 });`,
    ['open'],
  );

/** The page that waits for `open`. */
export const shellPage = createPortalPage('<h1></h1>', '', ['open']);

export const spentPage = (reason: string) =>
  createPortalPage(
    '<h1>This link has been used or has expired</h1>',
    `say({ type: 'session-required', reason: '${reason}' });`,
  );
