export default function Page() {
  return <p>You are signed out.</p>;
}
