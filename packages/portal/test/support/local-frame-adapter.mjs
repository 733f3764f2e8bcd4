/**
 * The page half of `local-frame-platform.ts`.
 *
 * @type {import('platform/page').FrameAdapter}
 */
export default {
  show(element, request, events) {
    const frame = document.createElement('iframe');
    if (request.isIsolated) frame.setAttribute('credentialless', '');
    Object.assign(frame.style, { width: '100%', height: '100%', border: '0' });
    const { origin } = new URL(request.url);
    let latest = request;
    const send = (type) =>
      frame.contentWindow.postMessage({ type, ...latest, settings: undefined }, origin);
    const answers = {
      loaded: () => send('show'),
      drawn: events.onReady,
      failed: () => events.onFailed('The product has refused the token.'),
      view: ({ view }) => events.onView(view),
      exported: events.onExported,
    };
    addEventListener('message', ({ source, data }) => {
      if (source === frame.contentWindow) answers[data.type](data);
    });
    frame.src = request.url;
    element.append(frame);
    return {
      update(next) {
        latest = next;
        send('update');
      },
      refresh: () => send('refresh'),
      ...(request.settings.canPrint && { print: () => send('print') }),
      ...(request.settings.canExport && { exportAs: () => send('export') }),
    };
  },
};
