/**
 * The portal is compared with this Express application. It runs the portal's two statements without
 * a key, checks, a log or security headers.
 */
import fs from 'node:fs';

import { openDatabase } from '@portal-embed/portal';
import express from 'express';
import pg from 'pg';

import { createToken, prepareAlone, createValues, type Statement } from './statements.ts';

const { MINIMAL_SETUP, PORTAL_PORT, PORTAL_DATABASE_URL, PORTAL_DATA_DIR } = process.env;
const { statements, pageBytes } = JSON.parse(fs.readFileSync(MINIMAL_SETUP!, 'utf8')) as {
  statements: Statement[];
  pageBytes: number;
};
const [mint, redeem] = statements as [Statement, Statement];
const page = `<!doctype html>${'x'.repeat(pageBytes - 15)}`;
const run = await openRunner();

const app = express();
app.get('/livez', (_req, res) => {
  res.end();
});
app.post('/api/identity/url', express.json(), async (_req, res) => {
  const token = createToken();
  const [row] = await run(mint, token);
  res.json({
    embedUrl: `http://localhost:${PORTAL_PORT}/identity?token=${token}`,
    expiresAt: row!['expires_at'],
  });
});
app.get('/identity', async (req, res) => {
  const [row] = await run(redeem, req.query['token'] as string);
  if (row) res.type('html').send(page);
  else res.status(410).end();
});
const server = app.listen(Number(PORTAL_PORT), '127.0.0.1');
process.once('SIGTERM', () => {
  server.closeAllConnections();
  process.exit(0);
});

type Runner = (statement: Statement, token: string) => Promise<Record<string, unknown>[]>;

async function openRunner(): Promise<Runner> {
  if (PORTAL_DATABASE_URL) {
    const pool = new pg.Pool({ connectionString: PORTAL_DATABASE_URL, max: 16 });
    return async (statement, token) => {
      const { name, text } = statement;
      return (await pool.query({ name, text, values: createValues(statement, token) })).rows;
    };
  }
  const { db } = await openDatabase({ dataDir: PORTAL_DATA_DIR! });
  const runs = { mint: await prepareAlone(mint), redeem: await prepareAlone(redeem) };
  return (statement, token) => runs[statement.name](db, createValues(statement, token));
}
