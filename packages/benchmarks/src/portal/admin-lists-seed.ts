import { id, type MoreRows } from './seed.ts';

/** Ids that requests name. */
export const seeded = {
  /** Directly open to a tenth of all users. */
  popularReport: '44444444-0000-4000-8000-000000000001',
  company: '77777777-0000-4000-8000-000000000001',
  group: '55555555-0000-4000-8000-000000000001',
  workspace: '22222222-0000-4000-8000-000000000001',
  user: '11111111-0000-4000-8000-00000000002a',
};

/**
 * What the administration shows beside users, reports and the access log: roles, ends of access, a
 * thousand companies, a role of rows with many holders, and the activity log, of which 90 % are mints
 * and 0.5 % refusals.
 */
export const adminRows = (users: number, activityEntries: number): MoreRows => ({
  tables: ['activity_entries', 'company_users', 'rls_role_users'],
  statements: (organizationId) => {
    const organization = `'${organizationId}'::uuid`;
    return [
      `UPDATE users SET role = 2 WHERE id IN
         (SELECT ${id(1, 'n * 1000')} FROM generate_series(1, ${Math.ceil(users / 1_000)}) AS n)`,
      `UPDATE users SET expiration_date = now() + make_interval(days => n % 40 - 20)
       FROM generate_series(1, ${Math.ceil(users / 50)}) AS n WHERE id = ${id(1, 'n * 50')}`,
      `INSERT INTO companies (organization_id, id, name)
       SELECT ${organization}, ${id(7, 'n')}, 'Company ' || n FROM generate_series(1, 1000) AS n`,
      `INSERT INTO company_users (organization_id, company_id, user_id)
       SELECT ${organization}, ${id(7, 'n % 1000 + 1')}, ${id(1, 'n')}
       FROM generate_series(1, ${users}) AS n`,
      `INSERT INTO rls_roles (organization_id, id, dataset_id, name, predicate)
       VALUES (${organization}, ${id(8, '1')}, ${id(3, '1')}, 'West', '"all"')`,
      `INSERT INTO rls_role_users (organization_id, role_id, user_id)
       SELECT ${organization}, ${id(8, '1')}, ${id(1, 'n * 10')}
       FROM generate_series(1, ${users / 10}) AS n`,
      `INSERT INTO report_users (organization_id, user_id, report_id)
       SELECT ${organization}, ${id(1, 'n * 10')}, '${seeded.popularReport}'
       FROM generate_series(1, ${users / 10}) AS n ON CONFLICT DO NOTHING`,
      `INSERT INTO activity_entries
         (organization_id, created_at, operator, action, subject, refusal)
       SELECT ${organization}, now() - interval '2 years' * (1 - n::float8 / ${activityEntries}) ^ 3,
         'benchmark',
         CASE WHEN n % 10 > 0 THEN 'mintIdentityUrl' WHEN n % 100000 = 0 THEN 'createOrganization'
           ELSE (ARRAY['updateUser','linkReports','createUser','linkUsers','viewAs'])[n / 10 % 5 + 1] END,
         'user' || n % ${users} || '@large.example',
         CASE WHEN n % 200 = 0 THEN 'report_not_accessible' END
       FROM generate_series(1, ${activityEntries}) AS n`,
    ];
  },
});
