import { listen } from './app.js';
import { readTenants } from './policy.js';

const { port } = await listen(readTenants(), Number(process.env.PORT ?? 3000));
console.log(`The application runs at http://localhost:${port}`);
