import type { Services } from '../kit/services/services.ts'
import { checkTemplates } from '../resources/printing/check-templates.ts'

/** A template or snippet that cannot be printed, with each reason and its line. */
export type TemplateProblem = { kind: string; pk: number; name: string; path: string; problems: string[] }

/** Checks all templates and snippets, and returns those that use what this service does not have. */
export async function findTemplateProblems(
  services: Pick<Services, 'database' | 'files' | 'config' | 'log' | 'download'>,
): Promise<TemplateProblem[]> {
  await checkTemplates(services)
  return services.database.read<TemplateProblem>({
    text: `select * from (
        select 'label template' as kind, pk, name, template as path, problems from label_template
        union all select 'report template', pk, name, template, problems from report_template
        union all select 'snippet', pk, filename, snippet, problems from report_snippet
      ) template where problems <> '{}' order by kind, pk`,
    values: [],
  })
}

/** Describes these templates, line by line. */
export const describeTemplateProblems = (templates: readonly TemplateProblem[]): string[] =>
  templates.length === 0
    ? []
    : [
        `${templates.length} ${templates.length === 1 ? 'template uses' : 'templates use'} what this service does not have and cannot be printed:`,
        ...templates.flatMap(({ kind, pk, name, path, problems }) =>
          problems.map((problem) => `${kind} ${pk} ${JSON.stringify(name)} (${path}): ${problem}`),
        ),
      ]
