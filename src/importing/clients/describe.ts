import { describeSecondFactors } from '../second-factors.ts'
import { describeTemplateProblems } from '../template-problems.ts'
import { describeClient } from './clients.ts'
import type { FormerToken, IneffectiveSetting, InstanceReport, MissingPlugin } from './instance.ts'

/** Maximum number of lines of a section; the rest is counted. --json has all. */
const MAX_LINES = 40

/** Describes what changes for an instance, in sections, line by line. */
export function describeInstance(report: InstanceReport): string[] {
  const { announcedApi, responseForm, clients, plugins, tokens, secondFactors, templates, settings } = report
  const wireRemark =
    responseForm === 'inventree'
      ? []
      : ['Set WIRE_FORM=inventree: without it, these clients do not find the forms that they expect.']
  return [
    ...describeSection(`Clients (the service announces API ${announcedApi})`, [
      ...wireRemark,
      ...clients.map((verdict) => describeClient(verdict, announcedApi)),
    ]),
    ...describeSection('Plugins that are not here', plugins.map(describePlugin), 'All plugins of the database are here.'),
    ...describeSection('Tokens', describeTokens(tokens)),
    ...describeSection(
      'Second factors',
      secondFactors ? describeSecondFactors(secondFactors) : [NEEDS_DUMP],
      'No account had one.',
    ),
    ...describeSection('Templates', describeTemplateProblems(templates), 'All templates can be printed.'),
    ...describeSection('Settings without effect here', settings.map(describeSetting), 'All settings have an effect.'),
  ]
}

const NEEDS_DUMP = 'Name the dump to list them: the import does not keep them.'

function describeSection(title: string, lines: readonly string[], none?: string): string[] {
  const shown = lines.length === 0 && none !== undefined ? [none] : lines.slice(0, MAX_LINES)
  const rest = lines.length - MAX_LINES
  return [title, ...shown.map((line) => `  ${line}`), ...(rest > 0 ? [`  and ${rest} more: see --json`] : []), '']
}

function describePlugin({ key, name, wasActive, instead }: MissingPlugin): string {
  const state = wasActive === undefined ? '' : wasActive ? ', which was active' : ', which was not active'
  return `${key} (${name})${state}${instead === undefined ? '' : `: ${instead}`}`
}

function describeTokens(tokens: readonly FormerToken[] | undefined): string[] {
  const advice = 'No token moved: each client signs in again, or gets a new token under Account, Tokens.'
  if (tokens === undefined) return [advice, NEEDS_DUMP]
  const byUser = [...Map.groupBy(tokens, ({ user }) => user)].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return [
    advice,
    ...byUser.map(([user, own]) => {
      const names = own.map(({ name }) => name || 'without a name')
      return `${user}: ${own.length} ${own.length === 1 ? 'token' : 'tokens'} (${[...new Set(names)].join(', ')})`
    }),
  ]
}

function describeSetting({ key, value, reason, accounts }: IneffectiveSetting): string {
  const of = accounts === undefined ? `is ${JSON.stringify(value)}` : `of ${accounts} ${accounts === 1 ? 'account' : 'accounts'}`
  return `${key} ${of}: ${reason === 'clients' ? 'only clients read it' : 'this service does not know it'}`
}
