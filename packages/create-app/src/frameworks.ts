/** What the application of a framework needs in addition to the common files. */
export interface Framework {
  /** Folders of `templates`, in the order in which they are copied. */
  templates: string[];
  /** Packages of the framework, with their versions. */
  dependencies: Record<string, string>;
  /** Packages of Portal Embed. */
  packages: string[];
  scripts: Record<string, string>;
}

const serverScripts = { dev: 'node --env-file=.env --watch server.js' };

export const frameworks: Record<string, Framework> = {
  express: {
    templates: ['common', 'plain', 'express'],
    dependencies: { express: '5.3.0' },
    packages: ['express', 'host', 'react'],
    scripts: serverScripts,
  },
  nextjs: {
    templates: ['common', 'nextjs'],
    dependencies: { next: '16.4.6', react: '19.3.1', 'react-dom': '19.3.1' },
    packages: ['host', 'react'],
    scripts: { dev: 'next dev', build: 'next build', start: 'next start' },
  },
  hono: {
    templates: ['common', 'plain', 'hono'],
    dependencies: { '@hono/node-server': '2.1.8', hono: '4.13.19' },
    packages: ['host', 'react'],
    scripts: serverScripts,
  },
  fastify: {
    templates: ['common', 'plain', 'fastify'],
    dependencies: { fastify: '5.12.8' },
    packages: ['host', 'react'],
    scripts: serverScripts,
  },
};
