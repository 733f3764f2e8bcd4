import type { Command } from '@commander-js/extra-typings';
import { endpoints } from '@portal-embed/contract';

import { presentReport } from '../catalogue/presenter.ts';
import { listReports } from '../catalogue/service.ts';
import { presentPage } from '../db/query/paging.ts';
import { addOrganizationCommand, type Cli } from './cli.ts';
import { parseInput } from './input.ts';
import { addPageOptions, formatPage } from './pages.ts';

export function addReportCommands(program: Command, cli: Cli): void {
  const reports = program.command('reports').description('list reports');

  addPageOptions(
    addOrganizationCommand(reports, 'list', 'list reports with their ids, sorted by name', [
      'portal reports list -o acme',
      'portal reports list -o acme --workspace sales --json',
    ]),
  )
    .option('--name <part>', 'only reports whose name contains this text')
    .option('--workspace <part>', 'only reports whose workspace name contains this text')
    .action((options) =>
      cli.onOrganization(options, async (ctx) => {
        const { name: reportName, workspace: workspaceName, page: pageNumber, pageSize } = options;
        const query = { reportName, workspaceName, pageNumber, pageSize };
        const input = parseInput(endpoints.listReports.query, query);
        const page = presentPage(await listReports(ctx, input), presentReport(ctx.publicUrl));
        return {
          json: page,
          text: formatPage(page, 'No reports found.', ['NAME', 'WORKSPACE', 'ID'], (report) => [
            report.name,
            report.workspaceName,
            report.id,
          ]),
        };
      }),
    );
}
