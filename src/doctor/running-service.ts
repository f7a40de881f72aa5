import type { Config } from '../config.ts'
import type { CheckResult } from '../kit/services/inspection.ts'
import type { Services } from '../kit/services/services.ts'
import { browserCheck } from './browser.check.ts'
import { type Check, error, ok } from './check.ts'
import { portCheck } from './port.check.ts'
import { CHECKS, runChecks } from './run-checks.ts'

/** A label, in millimeters. */
const PAGE = { width: 62, height: 29 }

/** Prints with the browser of the service itself, which another browser would not test. */
const createPrintingCheck = (printer: Services['printer']): Check => ({
  ...browserCheck,
  async run() {
    try {
      await printer.pdf({ html: '<p>Stockroom</p>', page: PAGE, resource: async () => undefined })
      return [ok('The browser of the service prints a PDF')]
    } catch (problem) {
      return [
        error(
          `No document can be printed: ${printer.unavailable() ?? (problem as Error).message}`,
          'Set CHROME_PATH to an installed Chrome or Chromium; until then labels and reports cannot be printed.',
        ),
      ]
    }
  },
})

/**
 * Returns a function that checks the installation of the running service: as `stockroom doctor`, except for the port, which responds. Calls
 * at the same time get the result of one run.
 */
export function createInspection(config: Config, printer: Services['printer']): () => Promise<CheckResult[]> {
  const checks = CHECKS.filter((check) => check !== portCheck).map((check) =>
    check === browserCheck ? createPrintingCheck(printer) : check,
  )
  let current: Promise<CheckResult[]> | undefined
  const run = async () => {
    const results: CheckResult[] = []
    await runChecks(config, checks, (result) => results.push(result))
    return results
  }
  return () => {
    current ??= run().finally(() => {
      current = undefined
    })
    return current
  }
}
