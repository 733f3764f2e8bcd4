import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

import { createHostApp } from './app.ts';
import { readHostConfig } from './config.ts';

const config = readHostConfig(process.env);
/** Folder of the page, relative to this file; by default the built one. */
const page = fileURLToPath(new URL(process.argv[2] ?? '../page', import.meta.url));
const server = createServer(createHostApp(config, page));
server.listen(config.port, '127.0.0.1');

const stop = () => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  setTimeout(() => process.exit(0), 3_000).unref();
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// Whoever started this server with a channel is gone.
process.once('disconnect', stop);
