import { setTimeout as pause } from 'node:timers/promises'
import { type Config, loadConfig } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import { VERSION } from '../version.ts'
import { browserCheck } from './browser.check.ts'
import { type Check, type Context, error, type Finding, type Status } from './check.ts'
import { clockCheck } from './clock.check.ts'
import { databaseCheck } from './database.check.ts'
import { openForChecks } from './database-access.ts'
import { diskCheck } from './disk.check.ts'
import { createSecretFilter } from './hide-secrets.ts'
import { mailCheck } from './mail.check.ts'
import { portCheck } from './port.check.ts'
import { publicUrlCheck } from './public-url.check.ts'
import { storageCheck } from './storage.check.ts'
import { timeZoneCheck } from './time-zone.check.ts'
import { versionsCheck } from './versions.check.ts'

const checks: readonly Check[] = [
  versionsCheck,
  databaseCheck,
  storageCheck,
  diskCheck,
  mailCheck,
  browserCheck,
  clockCheck,
  timeZoneCheck,
  portCheck,
  publicUrlCheck,
]

/** Time limit of one check, in milliseconds. */
const CHECK_TIMEOUT_MS = 90_000

export type CheckResult = { name: string; title: string; status: Status; findings: Finding[] }

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
  const database = await openForChecks(config)
  const hideSecrets = createSecretFilter(config)
  try {
    // one after the other: the check of the port listens on it
    for (const check of checks) {
      const findings = (await runCheck(check, { config, database })).map(({ status, message, advice }) => ({
        status,
        message: hideSecrets(message),
        ...(advice === undefined ? {} : { advice: hideSecrets(advice) }),
      }))
      report({ name: check.name, title: check.title, status: getWorst(findings), findings })
    }
  } finally {
    if (database.state === 'open') await database.client.end()
  }
}

async function runCheck(check: Check, context: Context): Promise<Finding[]> {
  const timer = new AbortController()
  const timeout = pause(CHECK_TIMEOUT_MS, undefined, { signal: timer.signal }).then(
    () => [error(`No result in ${CHECK_TIMEOUT_MS / 1_000} seconds`, 'Try again when this machine is less busy.')],
    () => [],
  )
  try {
    return await Promise.race([check.run(context), timeout])
  } catch (problem) {
    return [error(`The check failed: ${(problem as Error).message}`, 'Report this, with the output of this command.')]
  } finally {
    timer.abort()
  }
}

/** Statuses, the worst first. */
const ORDER: readonly Status[] = ['error', 'warning', 'skipped', 'ok']

const getWorst = (findings: readonly Finding[]): Status =>
  ORDER.find((status) => findings.some((finding) => finding.status === status)) ?? 'ok'

const MARKS: Readonly<Record<Status, string>> = { ok: '  ok   ', warning: 'WARNING', error: ' ERROR ', skipped: '   -   ' }

function formatResult({ title, findings }: CheckResult): string {
  const lines = findings.flatMap(({ status, message, advice }) => [
    `  ${MARKS[status]}  ${message}`,
    ...(advice === undefined ? [] : [`           ${advice}`]),
  ])
  return [title, ...lines].join('\n')
}

function summarize(results: readonly CheckResult[]): string {
  const count = (status: Status) =>
    results.flatMap(({ findings }) => findings).filter((finding) => finding.status === status).length
  const [errors, warnings] = [count('error'), count('warning')]
  if (errors === 0 && warnings === 0) return 'Everything that was checked is right.'
  return `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`
}
