export default {
  trailingSlash: process.env.TRAILING_SLASH === 'yes',
  devIndicators: false,
};
