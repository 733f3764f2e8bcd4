/** The portal of each host name of this application. */
export const readTenants = (env = process.env) => ({
  localhost: {
    apiUrl: env.REPORTS_URL,
    apiKey: env.REPORTS_API_KEY,
    organizationId: env.REPORTS_ORGANIZATION_ID,
    portalUrl: env.REPORTS_PORTAL_URL,
  },
});

/** What a user may request. The locked filter always applies, whatever the browser requests. */
export const authorize = ({ user }) => ({
  lockedFilters: [{ key: 'Sales/Region', value: user.region }],
});
