import { connection } from 'next/server';
import type { ReactNode } from 'react';

export const metadata = { title: 'Reports', icons: { icon: 'data:,' } };

export default async function Layout({ children }: { children: ReactNode }) {
  // A page that `next build` renders has no nonce.
  await connection();
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  );
}
