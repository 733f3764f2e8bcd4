import type { PageData } from '../src/page-data.ts';

export function SignIn({ data }: { data: PageData }) {
  return (
    <main className="sign-in">
      <h1>Sign in to {data.tenant}</h1>
      <p>Each person sees their own rows of the same reports. This demo asks for no password.</p>
      <form method="post" action="/login">
        {data.people.map(({ email, name }) => (
          <button key={email} name="email" value={email}>
            <span>{email}</span>
            <small>{name}</small>
          </button>
        ))}
      </form>
    </main>
  );
}
