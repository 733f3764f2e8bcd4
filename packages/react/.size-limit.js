export default [
  {
    name: 'PortalEmbed',
    path: 'src/index.ts',
    import: '{ PortalEmbed }',
    ignore: ['react'],
    gzip: true,
    limit: '6950 B',
    modifyEsbuildConfig: (config) => ({ ...config, conditions: ['source'] }),
  },
  {
    name: 'element.global.js',
    path: 'dist/element.global.js',
    disablePlugins: ['@size-limit/esbuild'],
    gzip: true,
    limit: '8300 B',
  },
];
