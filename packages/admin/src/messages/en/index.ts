import type { Operation } from '../../requests/endpoints.ts';
import { signInRefusals } from '../../requests/refusals.ts';
import apiKeys from './api-keys.json';
import builder from './builder.json';
import common from './common.json';
import editor from './editor.json';
import errors from './errors.json';
import items from './items.json';
import logs from './logs.json';
import operationTexts from './operations.json';
import people from './people.json';
import platforms from './platforms.json';
import reports from './reports.json';
import settings from './settings.json';
import signIn from './sign-in.json';

/** Words for every operation of the activity log. */
const operations = operationTexts satisfies Record<`operation.${Operation}`, string>;

/** One file for each area of the pages. English has every message. */
export const english = {
  ...common,
  ...signIn,
  ...signInRefusals,
  ...apiKeys,
  ...errors,
  ...items,
  ...logs,
  ...operations,
  ...people,
  ...reports,
  ...builder,
  ...editor,
  ...settings,
  ...platforms,
};
