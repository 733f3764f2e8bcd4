export default function Page() {
  return <p>private</p>;
}
