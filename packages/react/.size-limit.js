export default [
  {
    name: 'PortalEmbed',
    path: 'src/index.ts',
    import: '{ PortalEmbed }',
    ignore: ['react'],
    gzip: true,
    // What Superset's SDK costs, measured likewise.
    limit: '3667 B',
    modifyEsbuildConfig: (config) => ({ ...config, conditions: ['source'] }),
  },
];
