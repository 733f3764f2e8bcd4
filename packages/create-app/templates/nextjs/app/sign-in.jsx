'use client';

async function signIn(event) {
  event.preventDefault();
  const email = new FormData(event.target).get('email');
  const answer = await fetch('/sign-in', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  // Another user may have been signed in, so the page starts again.
  if (answer.ok) location.reload();
}

export function SignIn() {
  return (
    <form onSubmit={signIn}>
      <label>
        Sign in as{' '}
        <select name="email">
          <option>west@acme.example</option>
          <option>east@acme.example</option>
        </select>
      </label>{' '}
      <button>Sign in</button>
    </form>
  );
}
