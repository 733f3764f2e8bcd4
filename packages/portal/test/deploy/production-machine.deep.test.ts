import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { buildFirst } from 'test-support/build';
import { readGuide } from 'test-support/guide';
import { expect, it, onTestFinished } from 'vitest';

import { findCanStartMachine, startMachine, type Terminal } from '../support/machine.ts';

buildFirst();

const guides = new URL('../../../docs/guides/', import.meta.url);
const guide = ['production', 'production-review', 'containers']
  .map((name) => fs.readFileSync(new URL(`${name}.md`, guides), 'utf8'))
  .join('\n');
const readContentGuide = readGuide(new URL('content.md', guides));
const draft = fileURLToPath(new URL('../../../tooling/release-draft.mjs', import.meta.url));

/** Returns the blocks of the guide one after the other. Each must begin as the test expects. */
function createReader() {
  const blocks = [...guide.matchAll(/^ *```.*\n([^]*?)^ *```$/gm)].map(([, code]) => code!);
  return {
    take: (start: string): string => {
      const code = blocks.shift() ?? '';
      expect(code.slice(0, start.length)).toBe(start);
      return code;
    },
    rest: () => blocks,
  };
}

/** What the guide expects of the network: names, an authority, PostgreSQL and an identity provider. */
async function setUpNetwork({ run }: Terminal, temporary: string): Promise<void> {
  fs.copyFileSync(
    fileURLToPath(new URL('../support/machine/provider.mjs', import.meta.url)),
    path.join(temporary, 'provider.mjs'),
  );
  await run(`
    cat >> /etc/hosts <<'HOSTS'
127.0.0.1 portal.example.com admin.portal.example.com acme.portal.example.com db.internal portal-1
127.0.0.2 portal-2
::1 login.acme.example
HOSTS
    ln --symbolic --force ${process.execPath} /usr/local/bin/node
    mkdir --parents /etc/portal /etc/certs /etc/haproxy/certs /etc/haproxy/errors
    cd /etc/certs
    openssl req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=authority -keyout ca.key -out /etc/portal/ca.pem
    names=DNS:portal.example.com,DNS:*.portal.example.com,DNS:db.internal,DNS:login.acme.example
    openssl req -new -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -subj /CN=portal -addext subjectAltName=$names -keyout key.pem -out csr.pem
    openssl x509 -req -in csr.pem -CA /etc/portal/ca.pem -CAkey ca.key -copy_extensions copy -out cert.pem
    cat cert.pem key.pem > /etc/haproxy/certs/portal.pem
    cat /etc/portal/ca.pem >> /etc/ssl/certs/ca-certificates.crt

    data=/var/lib/postgresql/guide
    install -d --owner=postgres $data
    install --owner=postgres --mode=0600 key.pem cert.pem /var/lib/postgresql/
    runuser -u postgres -- initdb --pgdata=$data --auth-local=peer --auth-host=scram-sha-256 --no-sync
    cat >> $data/postgresql.conf <<'SETTINGS'
ssl = on
ssl_cert_file = '/var/lib/postgresql/cert.pem'
ssl_key_file = '/var/lib/postgresql/key.pem'
unix_socket_directories = '/run/postgresql'
SETTINGS
    systemd-run --unit=database --uid=postgres --service-type=notify \\
      --property=RuntimeDirectory=postgresql "$(command -v postgres)" -D $data
    systemd-run --unit=provider /usr/local/bin/node /tmp/provider.mjs /etc/certs/key.pem /etc/certs/cert.pem
    cd`);
}

/** Repeats a command until it succeeds, for at most a minute. */
const until = (command: string) => `timeout 60 bash -c 'until ${command}; do sleep 0.2; done'`;

const readyz = 'curl --silent --show-error http://127.0.0.1:4000/readyz';

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

it.skipIf(!findCanStartMachine())(
  'each command of the production guide works on a machine with systemd (skipped without root)',
  async () => {
    const machine = await startMachine();
    onTestFinished(machine.remove);
    const root = machine.openTerminal();
    await setUpNetwork(root, machine.temporary);
    const { take, rest } = createReader();
    take('readers, programs');

    // 2. Install the portal
    const release = path.join(machine.temporary, 'release');
    execFileSync(process.execPath, [draft, release], { stdio: 'pipe' });
    const archive = fs.readdirSync(release).find((name) => name.endsWith('.tar.gz'))!;
    const version = /portal-embed-portal-(.+)\.tar\.gz/.exec(archive)![1]!;
    const named = (code: string) => code.replaceAll('-VERSION', `-${version}`);
    const download = machine.openTerminal({ onInternet: true });
    await download.run(`cd /tmp/release\n${named(take('mkdir --parents /opt/portal\n'))}`);
    expect(await root.run(named(take('useradd --system')))).toMatch(
      new RegExp(`^${version}( \\(|$)`, 'm'),
    );
    await root.run(take('cd /opt/portal/current/'));

    // 3. Create the database
    const authority = '&sslrootcert=/etc/portal/ca.pem';
    await root.run(
      take('export OWNER_PASSWORD=').replace('=verify-full', `=verify-full${authority}`),
    );
    const asSuperuser = (code: string) => code.replaceAll(/^(?=.)/gm, 'runuser -u postgres -- ');
    await root.run(
      asSuperuser(take('createdb --encoding=UTF8 --locale=C.UTF-8 --template=template0 portal\n')),
    );
    await root.run(take('PORTAL_DATABASE_URL=$OWNER_URL portal migrate\n'));

    // 4. Start the instances
    await root.run(take('install -D --mode=0600 deploy/portal.env'));
    await root.run(
      `sed --in-place "s/:SECRET@/:$RUN_PASSWORD@/; s|=verify-full|&\\${authority}|" /etc/portal/portal.env
      echo NODE_EXTRA_CA_CERTS=/etc/portal/ca.pem >> /etc/portal/portal.env
      systemd-analyze verify /etc/systemd/system/portal.service`,
    );
    await root.run(take('systemctl daemon-reload\nsystemctl enable --now portal\n'));
    expect(await root.run(`${until(`${readyz} > /dev/null`)}; ${readyz}`)).toContain(
      '{"status":"empty"}',
    );
    const owner = await root.run(
      'ps -o user= --pid "$(systemctl show portal --property=MainPID --value)"',
    );
    expect(owner).toBe('portal\n');

    // 5. Set up the proxy
    await root.run(
      `cp deploy/haproxy.cfg /etc/haproxy/haproxy.cfg
      cp deploy/unavailable.http /etc/haproxy/errors/
      systemctl start haproxy`,
    );

    // 6. Create an organization
    const shell = take('systemd-run --pty').trimEnd();
    const runAsPortal = (code: string) =>
      root.run(`${shell} --norc -euo pipefail -c ${quote(code)}`);
    const created = await runAsPortal(take('portal organizations create acme --name Acme\n'));
    expect(created).toContain('https://admin.portal.example.com/admin/invitation');
    await root.run(until(`${readyz} --fail`));
    const check = take('curl --fail --head https://portal.example.com/openapi.json\n');
    expect(await root.run(until(check.trimEnd()))).toContain('HTTP/2 200');

    await root.run(
      `systemctl stop haproxy
      mkdir --parents /etc/nginx/portal /etc/nginx/certs
      cp deploy/nginx.conf /etc/nginx/conf.d/portal.conf
      cp deploy/unavailable.html /etc/nginx/portal/
      cp /etc/certs/cert.pem /etc/nginx/certs/portal.pem
      cp /etc/certs/key.pem /etc/nginx/certs/portal.key
      systemctl start nginx`,
    );
    expect(await root.run(check)).toContain('HTTP/2 200');

    // 7. Add content
    fs.writeFileSync(
      path.join(machine.temporary, 'sales.csv'),
      'Region,Amount\nWest,12.5\nEast,3\n',
    );
    await root.run('install --owner=portal --mode=0600 /tmp/sales.csv /var/lib/portal/');
    const applied = await runAsPortal(take('portal content init sales.csv\n'));
    expect(applied).toContain('reports/sales.yaml');

    const [access] = readContentGuide('4. Give a reader access');
    const [mint] = readContentGuide('6. Embed it');
    const opened = await runAsPortal(`
      export REPORTS_URL=https://portal.example.com
      ${access!.code.replace('"Umsatz"', '"Sales"')}
      minted=$(${mint!.code.replace('http://acme.portal.localhost:4000', 'https://acme.portal.example.com')})
      curl --silent --show-error --fail --header 'Sec-Fetch-Mode: navigate' --include \
        "$(node -p 'JSON.parse(process.argv[1]).embedUrl' "$minted")"`);
    expect(opened).toContain('HTTP/2 200');

    // 8. Sign in with an identity provider
    expect(await runAsPortal(take('portal organizations set-oidc acme'))).toContain(
      'https://admin.portal.example.com/',
    );

    // 9. Back up
    expect(await runAsPortal(take('portal backup portal.tar\n'))).toContain(' is complete: ');
    await root.run(take('cp deploy/portal-backup.service deploy/portal-backup.timer'));
    expect(await root.run('systemctl list-timers')).toContain('portal-backup.timer');
    await root.run('systemd-analyze verify /etc/systemd/system/portal-backup.*');
    await root.run('systemctl start portal-backup');
    expect(await root.run('ls /var/lib/portal-backups')).toMatch(/^portal-\d{8}-\d{6}\.tar$/m);
    await root.run(
      asSuperuser(
        take('createdb --encoding=UTF8 --locale=C.UTF-8 --template=template0 portal_restored\n'),
      ),
    );
    const restore = take(
      'PORTAL_DATABASE_URL=$RESTORED_URL PORTAL_DATA_DIR=restored portal restore',
    );
    const ownerUrl = (await root.run('echo "$OWNER_URL"')).trim();
    const restoredUrl = ownerUrl.replace('/portal?', '/portal_restored?');
    const restored = await runAsPortal(`export RESTORED_URL=${quote(restoredUrl)}\n${restore}`);
    expect(restored).toContain('Restored /var/lib/portal/portal.tar');
    expect(restored).toContain('Sales');

    // 10. Upgrade and downgrade
    await root.run(
      `cd /opt/portal; cp --archive portal-embed-portal-${version} portal-embed-portal-9.9.9`,
    );
    const upgrade = take('PORTAL_DATABASE_URL=$OWNER_URL /opt/portal/portal-embed-portal-NEW');
    await root.run(upgrade.replaceAll('-NEW', '-9.9.9'));
    const running = await root.run(
      `${until(`${readyz} --fail`)}
      tr '\\0' ' ' < "/proc/$(systemctl show portal --property=MainPID --value)/cmdline"
      readlink /opt/portal/current`,
    );
    expect(running).toContain('/opt/portal/portal-embed-portal-9.9.9\n');

    // 11. Monitor
    expect(await root.run(`cd -; ${take('promtool check rules')}`)).toContain('SUCCESS');
    expect(await root.run('curl --silent --fail http://127.0.0.1:9464/metrics')).toContain(
      'portal_build_info',
    );

    // Personal data
    await runAsPortal(take('portal audit export -o acme'));

    // With containers
    fs.copyFileSync(
      fileURLToPath(new URL('../support/machine/docker', import.meta.url)),
      path.join(machine.temporary, 'docker'),
    );
    await root.run(
      `install /tmp/docker /usr/local/bin/docker
      mkdir /srv/containers
      cp deploy/* /tmp/release/* /srv/containers
      mkdir /srv/containers/certs
      cd /srv/containers
      cat > .env <<'ENV'\n${take('POSTGRES_PASSWORD=').replaceAll('…', 'secret')}ENV`,
    );
    expect(await root.run(take('docker compose build\n'))).toContain(
      'Created the organization acme',
    );

    expect(rest()).toEqual([]);
  },
);
