import { linesType } from './answer-lines.ts';

/**
 * Sends a file. `fetch` cannot tell how many of its bytes were sent.
 *
 * @param options.onText gets all of the answer that has arrived so far, if it is of lines
 * @throws if the portal cannot be reached; the reason of `signal`
 */
export const sendFile = (
  address: string,
  method: string,
  file: Blob,
  options: {
    signal?: AbortSignal | undefined;
    onSent: (sent: number, total: number) => void;
    onText: (text: string) => void;
  },
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { signal, onSent, onText } = options;
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    const contentType = () => request.getResponseHeader('Content-Type') ?? '';
    const readText = () => {
      if (contentType().startsWith(linesType)) onText(request.responseText);
    };
    const abort = () => {
      request.abort();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort);
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(loaded, total));
    request.addEventListener('progress', readText);
    request.addEventListener('error', () => reject(new Error('The portal did not answer.')));
    request.addEventListener('load', () => {
      readText();
      const retryAfter = request.getResponseHeader('Retry-After');
      resolve(
        new Response(request.responseText, {
          status: request.status,
          headers: {
            'Content-Type': contentType(),
            ...(retryAfter !== null && { 'Retry-After': retryAfter }),
          },
        }),
      );
    });
    request.addEventListener('loadend', () => signal?.removeEventListener('abort', abort));
    request.open(method, address);
    request.setRequestHeader('Accept', linesType);
    request.send(file);
  });
