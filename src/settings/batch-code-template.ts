import type { ErrorMessage } from '../kit/values/message.ts'
import { isoWeek, parseDateFormat } from '../kit/values/strftime.ts'
import { settingsErrors } from './settings-errors.ts'

/** Maximum length of a stock item's batch code, in characters. */
export const MAX_BATCH_CODE_LENGTH = 100

/** Variables of a template. Numbers are written without leading zeros; times are in UTC. */
const variables = new Map<string, (now: Date) => string>([
  ['date', (now) => now.toISOString().slice(0, 10)],
  ['year', (now) => String(now.getUTCFullYear())],
  ['month', (now) => String(now.getUTCMonth() + 1)],
  ['day', (now) => String(now.getUTCDate())],
  ['hour', (now) => String(now.getUTCHours())],
  ['minute', (now) => String(now.getUTCMinutes())],
  ['week', (now) => String(isoWeek(now).week)],
])

/**
 * Returns the errors of a batch code template (docs/interface/stock.md#batch-codes), for the setting's `value`; an empty list when it
 * is valid.
 *
 * The variables are `date` (2026-01-31), `year`, `month`, `day`, `hour`, `minute`, `week` (ISO 8601), and `date.strftime("%Y-%m")` for any
 * other format. Everything else is literal text.
 */
export function checkBatchCodeTemplate(template: string): ErrorMessage[] {
  const { problems, text } = render(template, new Date(0))
  if (problems.length === 0 && text.length > MAX_BATCH_CODE_LENGTH) {
    return [settingsErrors.batch_code_too_long({ max_length: MAX_BATCH_CODE_LENGTH })]
  }
  return problems
}

/**
 * Returns the batch code for new stock. Empty for an empty template, and for one that `checkBatchCodeTemplate` rejects, which only an
 * import can leave behind.
 */
export function renderBatchCode(template: string, now: Date): string {
  const { problems, text } = render(template, now)
  return problems.length === 0 && text.length <= MAX_BATCH_CODE_LENGTH ? text : ''
}

function render(template: string, now: Date): { problems: ErrorMessage[]; text: string } {
  const problems: ErrorMessage[] = []
  const text = template.replace(/\{\{([^{}]*)\}\}/g, (_, expression: string) => {
    const value = evaluate(expression.trim(), now)
    if (value === null) problems.push(settingsErrors.unknown_template_variable({ variable: expression.trim() }))
    return value ?? ''
  })
  if (/\{[{%#]|[}%#]\}/.test(template.replace(/\{\{[^{}]*\}\}/g, ''))) {
    problems.push(settingsErrors.improper_template)
  }
  return { problems, text }
}

function evaluate(expression: string, now: Date): string | null {
  const variable = variables.get(expression)
  if (variable !== undefined) return variable(now)
  const format = /^date\.strftime\((?:"([^"]*)"|'([^']*)')\)$/.exec(expression)
  if (format === null) return null
  return parseDateFormat(format[1] ?? format[2] ?? '')?.render(now) ?? null
}
