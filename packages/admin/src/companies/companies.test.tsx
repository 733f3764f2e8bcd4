import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import { openAdmin, refuse } from '../test/open-admin.tsx';

const initech = { id: 'c1', name: 'Initech', users: 1 };
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const nameIt = (value: string) => {
  const field = within(screen.getByRole('dialog')).getByLabelText(/^Name/);
  fireEvent.change(field, { target: { value } });
  fireEvent.submit(field.closest('form')!);
};

it('a company is created, and a taken name is refused in the dialog', async () => {
  const { answers, sent } = await openAdmin('/companies', {
    listCompanies: { companies: [] },
    createCompany: refuse(409, 'conflict', 'Another company has this name.'),
  });
  expect(await screen.findByText('No companies')).toBeVisible();
  // One in the heading, and one in the empty list.
  const [, inList] = screen.getAllByRole('button', { name: 'New company' });
  fireEvent.click(inList!);
  await screen.findByRole('dialog');
  nameIt('Initech');
  expect(await screen.findByText('Another company has this name.')).toBeVisible();
  answers.createCompany = { id: 'c1' };
  answers.listCompanies = { companies: [{ ...initech, users: 0 }] };
  nameIt('Initech');
  expect(await screen.findByRole('link', { name: '0 users' })).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent('createCompany')).toEqual([{ name: 'Initech' }, { name: 'Initech' }]);
});

it('a failed reload keeps the list and shows the reason', async () => {
  const { answers } = await openAdmin('/companies', {
    listCompanies: { companies: [initech] },
    deleteCompany: {},
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Initech' }));
  const question = within(await screen.findByRole('dialog'));
  answers.listCompanies = refuse(503, 'overloaded', 'Try again later.');
  expect(screen.queryByRole('alert')).toBeNull();
  fireEvent.click(question.getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText('Try again later.')).toBeVisible();
  expect(screen.getByText('Initech')).toBeVisible();
  answers.listCompanies = { companies: [] };
  press('Try again');
  expect(await screen.findByText('No companies')).toBeVisible();
  expect(screen.queryByText('Try again later.')).toBeNull();
});

it('a company leads to its users', async () => {
  const { sent } = await openAdmin('/companies', {
    listCompanies: { companies: [initech] },
    listUsers: { items: [], totalCount: 0, totalPages: 0 },
  });
  fireEvent.click(await screen.findByRole('link', { name: '1 user' }));
  await waitFor(() => expect(sent('listUsers')).toEqual([{ companyId: 'c1', page: '1' }]));
  await screen.findByText('No user matches');
  await waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Company' })).toHaveValue('Initech'),
  );
});

it('a company is renamed, and the request has the old name, too', async () => {
  const { sent } = await openAdmin('/companies', {
    listCompanies: { companies: [initech] },
    renameCompany: {},
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Rename Initech' }));
  const dialog = await screen.findByRole('dialog', { name: 'Rename Initech' });
  expect(within(dialog).getByRole('textbox', { name: 'Name' })).toHaveValue('Initech');
  nameIt('Initrode');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent('renameCompany')).toEqual([
    { companyId: 'c1', name: 'Initrode', baseName: 'Initech' },
  ]);
});

it('a company is deleted after a question, which says what its users keep', async () => {
  const { sent } = await openAdmin('/companies', {
    listCompanies: { companies: [initech] },
    deleteCompany: {},
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Initech' }));
  const question = within(await screen.findByRole('dialog', { name: 'Delete Initech' }));
  expect(question.getByText(/^Its users stay, without this label/)).toBeVisible();
  expect(sent('deleteCompany')).toEqual([]);
  fireEvent.click(question.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent('deleteCompany')).toEqual([{ companyId: 'c1' }]);
});

it('a company that cannot be renamed or deleted says why in the dialog', async () => {
  await openAdmin('/companies', {
    listCompanies: { companies: [initech] },
    renameCompany: refuse(409, 'conflict', 'Another company has this name.'),
    deleteCompany: refuse(404, 'not_found', 'There is no such company.'),
  });
  fireEvent.click(await screen.findByRole('button', { name: 'Rename Initech' }));
  const rename = within(await screen.findByRole('dialog', { name: 'Rename Initech' }));
  nameIt('Globex');
  expect(await rename.findByText('Another company has this name.')).toBeVisible();
  press('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  press('Delete Initech');
  const question = within(await screen.findByRole('dialog', { name: 'Delete Initech' }));
  fireEvent.click(question.getByRole('button', { name: 'Delete' }));
  expect(await question.findByText('There is no such company.')).toBeVisible();
});
