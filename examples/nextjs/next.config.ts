import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  // The workspace's own check does these two.
  typescript: { ignoreBuildErrors: true },
  turbopack: { root: new URL('../..', import.meta.url).pathname },
};

export default config;
