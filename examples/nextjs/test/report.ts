import { mintAnswer, type FakeAnswer } from 'test-support/fake-portal';

const page = `<!doctype html><title>Report</title><h1>The report</h1><script>
  addEventListener('message', ({ ports: [port] }) =>
    port.postMessage({ type: 'ready', unappliedFilters: [] }));
  parent.postMessage({ portalEmbed: 1, type: 'boot' }, '*');
</script>`;

/** Returns the answers of a portal that mints URLs and shows a report at them. */
export function answerWithReport(): FakeAnswer {
  const mint = mintAnswer();
  return (request, response) =>
    request.url.startsWith('/identity')
      ? response.writeHead(200, { 'content-type': 'text/html' }).end(page)
      : mint(request, response);
}
