import { expect, it } from 'vitest';

import type { AdminErrorCode } from '../api/admin-error.ts';
import { loadFormats } from '../messages/messages.ts';
import { describeError } from './describe-error.ts';

const describeIn = async (language: string, code: AdminErrorCode, detail: string) =>
  describeError({ code, detail }, await loadFormats([language]));

it('in English, an error has the words of the service', async () => {
  const detail = 'The group "Sales" exists already. Choose another name.';
  expect(await describeIn('en', 'group_exists', detail)).toEqual({ text: detail });
});

it('in Portuguese, a frequent error has words of its own', async () => {
  expect(await describeIn('pt-BR', 'group_exists', 'The group "Sales" exists already.')).toEqual({
    text: 'Já existe um grupo com este nome. Escolha outro nome.',
  });
});

it('in Portuguese, values that are refused keep the English explanation that names them', async () => {
  expect(await describeIn('pt', 'invalid_request', 'timeZone is not a time zone.')).toEqual({
    text: 'O portal não pode aceitar estes valores.',
    english: 'O portal explica em inglês: timeZone is not a time zone.',
  });
});

it('an error without words of its own or of the service says what to do', async () => {
  expect(await describeIn('pt', 'internal_error', 'Something went wrong.')).toEqual({
    text: 'O portal explica em inglês: Something went wrong.',
  });
  expect(await describeIn('pt', 'internal_error', '')).toEqual({
    text: expect.stringMatching(/^O portal não informou o motivo/),
  });
  expect(await describeIn('en', 'user_exists', '')).toEqual({
    text: 'A user with this e-mail already exists.',
  });
});
