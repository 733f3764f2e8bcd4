import { execFileSync, spawnSync } from 'node:child_process';

export const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

/** A certificate of the application, and its private key, in PEM. */
export const createCertificate = (): string =>
  execFileSync(
    'openssl',
    'req -x509 -nodes -newkey rsa:2048 -days 1 -subj /CN=portal -keyout - -out -'.split(' '),
    { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
  );
