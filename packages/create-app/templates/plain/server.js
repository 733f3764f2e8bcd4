import { listen } from './app.js';
import { tenants } from './policy.js';

const { port } = await listen(tenants, Number(process.env.PORT ?? 3000));
console.log(`The application runs at http://localhost:${port}`);
