import { createApp } from './app.ts';

const port = Number(process.env['HOST_PORT'] || 3000);
createApp(process.env).listen(port, '127.0.0.1', () =>
  console.log(`http://acme.localhost:${port}`),
);
