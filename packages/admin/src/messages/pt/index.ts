import apiKeys from './api-keys.json';
import builder from './builder.json';
import common from './common.json';
import editor from './editor.json';
import errors from './errors.json';
import items from './items.json';
import logs from './logs.json';
import operations from './operations.json';
import people from './people.json';
import platforms from './platforms.json';
import refusals from './refusals.json';
import reports from './reports.json';
import settings from './settings.json';
import signIn from './sign-in.json';

export const portuguese = {
  ...common,
  ...signIn,
  ...refusals,
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
