async function post(path, body) {
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  // Another user may have been signed in, so the page starts again.
  if (answer.ok) location.reload();
}

document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  post('/sign-in', { email: new FormData(event.target).get('email') });
});
document.querySelector('#sign-out').addEventListener('click', () => post('/sign-out', {}));
document.querySelector('portal-embed').addEventListener('failure', ({ detail }) => {
  console.error(`The reports are not shown: ${detail.cause}.`, detail.message);
});
