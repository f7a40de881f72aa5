import { type Config, loadConfig } from '../config.ts'
import type { CheckResult, InspectionStatus } from '../kit/services/inspection.ts'
import { OperatorError } from '../operator-error.ts'
import { VERSION } from '../version.ts'
import { error } from './check.ts'
import { CHECKS, runChecks } from './run-checks.ts'

/**
 * Checks the installation and prints the results, as text or as JSON.
 * @returns whether there is no error
 */
export async function doctorCommand(environment: NodeJS.ProcessEnv, { json }: { json: boolean }): Promise<boolean> {
  const results: CheckResult[] = []
  const print = (result: CheckResult) => {
    results.push(result)
    if (!json) console.log(formatResult(result))
  }
  await checkAll(environment, print)
  const isHealthy = results.every(({ status }) => status !== 'error')
  if (json) console.log(JSON.stringify({ ok: isHealthy, version: VERSION, checks: results }, null, 2))
  else console.log(`\n${summarize(results)}`)
  return isHealthy
}

async function checkAll(environment: NodeJS.ProcessEnv, report: (result: CheckResult) => void): Promise<void> {
  let config: Config
  try {
    config = loadConfig(environment)
  } catch (problem) {
    if (!(problem instanceof OperatorError)) throw problem
    const finding = error(problem.message, 'Correct the environment of the service: docs/configuration.md lists every variable.')
    return report({ name: 'configuration', title: 'Settings', status: 'error', findings: [finding] })
  }
  await runChecks(config, CHECKS, report)
}

const MARKS: Readonly<Record<InspectionStatus, string>> = {
  ok: '  ok   ',
  warning: 'WARNING',
  error: ' ERROR ',
  skipped: '   -   ',
}

function formatResult({ title, findings }: CheckResult): string {
  const lines = findings.flatMap(({ status, message, advice }) => [
    `  ${MARKS[status]}  ${message}`,
    ...(advice === undefined ? [] : [`           ${advice}`]),
  ])
  return [title, ...lines].join('\n')
}

function summarize(results: readonly CheckResult[]): string {
  const count = (status: InspectionStatus) =>
    results.flatMap(({ findings }) => findings).filter((finding) => finding.status === status).length
  const [errors, warnings] = [count('error'), count('warning')]
  if (errors === 0 && warnings === 0) return 'Everything that was checked is right.'
  return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`
}
