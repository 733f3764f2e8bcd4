/** Stands for your own sign-in. */
export const checkPassword = (email: string, password: string): boolean =>
  email.endsWith('@acme.example') && password === 'correct';
