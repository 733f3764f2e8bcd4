module.exports = {
  testEnvironment: 'jsdom',
  transformIgnorePatterns: ['/node_modules/(?!(\\.pnpm/)?@portal-embed)'],
};
