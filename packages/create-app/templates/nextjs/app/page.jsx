import { Reports } from './reports.jsx';
import { SignIn } from './sign-in.jsx';

export default function Page() {
  return (
    <main>
      <h1>Reports</h1>
      <SignIn />
      <Reports />
    </main>
  );
}
