/** Sends the command line of its arguments to the server of `PORTAL_DATA_DIR`. */
import { runOnServer } from '../../dist/cli/control/client.js';
import { version } from '../../dist/version.js';

const request = { version, args: process.argv.slice(2), cwd: process.cwd(), operator: 'olivia' };
process.exitCode = await runOnServer(process.env['PORTAL_DATA_DIR'], request, process);
