/** Return the user of your own session, or null if nobody is signed in. This test function returns a fixed user. */
export const findUser = () =>
  process.env.NODE_ENV === 'production' ? null : { email: 'user@acme.example' };
