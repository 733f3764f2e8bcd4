import { signInRefusals } from '../../requests/refusals.ts';
import apiKeys from './api-keys.json';
import builder from './builder.json';
import common from './common.json';
import logs from './logs.json';
import people from './people.json';
import reports from './reports.json';
import settings from './settings.json';
import signIn from './sign-in.json';

/** One file for each area of the pages. English has every message. */
export const english = {
  ...common,
  ...signIn,
  ...signInRefusals,
  ...apiKeys,
  ...logs,
  ...people,
  ...reports,
  ...builder,
  ...settings,
};
