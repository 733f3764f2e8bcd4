export default {
  // #region base-path
  basePath: '/app',
  // #endregion
  trailingSlash: true,
};
