import fs from 'node:fs';

import { parseTemplate } from '@angular/compiler';
import { compile } from 'svelte/compiler';
import { expect, it } from 'vitest';

const read = (name) => fs.readFileSync(new URL(`examples/${name}`, import.meta.url), 'utf8');

it.each(['client', 'server'])(
  'the Svelte component compiles for the %s without a warning',
  (generate) => {
    const { warnings, js } = compile(read('Sales.svelte'), { generate });
    expect(warnings).toEqual([]);
    expect(js.code).toContain('portal-embed');
  },
);

it('the template of the Angular component compiles', () => {
  const [, template] = read('sales.component.ts').match(/template: `([^`]*)`/);
  const { errors, nodes } = parseTemplate(template, 'sales.component.ts');
  expect(errors).toBeNull();
  const embed = nodes.find(({ name }) => name === 'portal-embed');
  expect(embed.inputs.map(({ name }) => name)).toEqual(['options']);
  expect(embed.outputs.map(({ name }) => name)).toEqual(['statechange']);
});
