import Credentials from 'next-auth/providers/credentials';

export const authOptions = {
  providers: [
    Credentials({ credentials: { email: {} }, authorize: ({ email }) => ({ id: email, email }) }),
  ],
};
