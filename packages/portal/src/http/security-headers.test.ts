import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import express from 'express';
import { send } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { securityHeaders } from './security-headers.ts';

async function headersAt(publicUrl: string) {
  const app = express().disable('x-powered-by').disable('etag');
  app.use(securityHeaders(publicUrl), (_req, res) => void res.end());
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { headers } = await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const { date: _date, connection: _connection, 'keep-alive': _alive, ...rest } = headers;
  return rest;
}

const always = {
  'content-length': '0',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

it('a portal with an http URL has these security headers and no others', async () => {
  expect(await headersAt('http://portal.example')).toEqual(always);
});

it('a portal with an https URL also has Strict-Transport-Security for a year', async () => {
  expect(await headersAt('https://portal.example')).toEqual({
    ...always,
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  });
});
