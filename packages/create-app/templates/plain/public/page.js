document.querySelector('form').addEventListener('submit', async (event) => {
  event.preventDefault();
  const email = new FormData(event.target).get('email');
  const answer = await fetch('/sign-in', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  // Another user may have been signed in, so the page starts again.
  if (answer.ok) location.reload();
});
