import { createApp } from './app.ts';

createApp(process.env).listen(3000, '127.0.0.1', () => console.log('http://acme.localhost:3000'));
