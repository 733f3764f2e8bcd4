/** The smallest portal that mints: what is measured is the way to it. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    const { baseUrl, userEmail } = JSON.parse(text);
    const embedUrl = `${baseUrl}/identity?token=${encodeURIComponent(userEmail)}`;
    const expiresAt = new Date(Date.now() + 300_000).toISOString();
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ embedUrl, expiresAt }));
  });
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
