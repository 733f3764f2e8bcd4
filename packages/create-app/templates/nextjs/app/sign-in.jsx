'use client';

async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  // Another user may have been signed in, so the page starts again.
  if (answer.ok) location.reload();
}

function signIn(event) {
  event.preventDefault();
  post('/sign-in', { email: new FormData(event.target).get('email') });
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
      <button>Sign in</button>{' '}
      <button type="button" onClick={() => post('/sign-out', {})}>
        Sign out
      </button>
    </form>
  );
}
