import type { PageData } from '../src/page-data.ts';

export function SignIn({ data }: { data: PageData }) {
  return (
    <main className="sign-in">
      <h1>Sign in to {data.tenant}</h1>
      <p>Each person sees their own rows of the same reports. This demo asks for no password.</p>
      <form method="post" action="/login">
        {data.people.map(({ email, name }) => (
          <div key={email}>
            <button name="email" value={email}>
              {email}
            </button>
            <small>{name}</small>
          </div>
        ))}
      </form>
    </main>
  );
}
