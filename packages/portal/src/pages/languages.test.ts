import fs from 'node:fs';
import path from 'node:path';

import { createTemporaryFolder } from 'test-support';
import { expect, it, onTestFinished } from 'vitest';

import { readLanguages } from './languages.ts';

const write = (files: Record<string, unknown>) => {
  const folder = createTemporaryFolder('languages-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files))
    fs.writeFileSync(path.join(folder, name), JSON.stringify(content));
  return folder;
};
const english = { language: 'en', direction: 'ltr', messages: {} };

it('the languages are those of the JSON files, with the built scripts', () => {
  const folder = write({
    'en.json': english,
    'pt.json': { ...english, language: 'pt' },
    'x.md': '',
  });
  const languages = readLanguages(folder, (language) =>
    language === 'pt' ? 'assets/pt.js' : undefined,
  );
  expect([...languages.keys()]).toEqual(['en', 'pt']);
  expect(languages.get('pt')).toMatchObject({ language: 'pt', script: '/assets/pt.js' });
  expect(languages.get('en')!.script).toBeUndefined();
});

it('a folder without English is refused with advice', () => {
  const folder = write({ 'pt.json': { ...english, language: 'pt' } });
  expect(() => readLanguages(folder)).toThrow('has no English texts: run `npm run build`.');
});
