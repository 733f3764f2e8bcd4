import { getSession } from '@auth/express';
import Credentials from '@auth/express/providers/credentials';

export const config = {
  secret: process.env.SESSION_SECRET,
  trustHost: true,
  providers: [
    // Stands for your own provider.
    Credentials({ credentials: { email: {} }, authorize: ({ email }) => ({ email }) }),
  ],
};

export async function requireSignIn(req, res, next) {
  try {
    if (await getSession(req, config)) next();
    else res.redirect(307, '/auth/signin');
  } catch (error) {
    next(error);
  }
}
