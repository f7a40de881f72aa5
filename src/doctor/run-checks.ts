import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { CheckResult, Finding, InspectionStatus } from '../kit/services/inspection.ts'
import { backgroundCheck } from './background.check.ts'
import { browserCheck } from './browser.check.ts'
import { type Check, type Context, error } from './check.ts'
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

/** The checks of an installation, in the order in which they run. */
export const CHECKS: readonly Check[] = [
  versionsCheck,
  databaseCheck,
  backgroundCheck,
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

/** Runs checks with a configuration, and reports the results of each. No result contains a secret of the configuration. */
export async function runChecks(config: Config, checks: readonly Check[], report: (result: CheckResult) => void): Promise<void> {
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
const ORDER: readonly InspectionStatus[] = ['error', 'warning', 'skipped', 'ok']

const getWorst = (findings: readonly Finding[]): InspectionStatus =>
  ORDER.find((status) => findings.some((finding) => finding.status === status)) ?? 'ok'
