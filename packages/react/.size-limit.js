export default [
  {
    name: 'PortalEmbed',
    path: 'src/index.ts',
    import: '{ PortalEmbed }',
    ignore: ['react'],
    gzip: true,
    limit: '5000 B',
    modifyEsbuildConfig: (config) => ({ ...config, conditions: ['source'] }),
  },
];
