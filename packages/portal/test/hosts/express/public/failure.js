document.querySelector('portal-embed').addEventListener('failure', ({ detail }) => {
  window.failure = { cause: detail.cause, message: detail.message };
});
