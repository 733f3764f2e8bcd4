const { REPORTS_URL, REPORTS_API_KEY, REPORTS_ORGANIZATION_ID, REPORTS_PORTAL_URL } = process.env;

/** The portal of each host name of this application. */
export const tenants = {
  localhost: {
    apiUrl: REPORTS_URL,
    apiKey: REPORTS_API_KEY,
    organizationId: REPORTS_ORGANIZATION_ID,
    portalUrl: REPORTS_PORTAL_URL,
  },
};

/** What a user may request. The locked filter always applies, whatever the browser requests. */
export const authorize = ({ user }) => ({
  lockedFilters: [{ key: 'Sales/Region', value: user.region }],
});
