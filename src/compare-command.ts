import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database/with-database.ts'
import { compareDump, type KindComparison } from './importing/comparison/compare-dump.ts'
import { kinds } from './importing/loading/kinds.ts'
import { Dump } from './importing/reading/dump.ts'
import { Problems } from './importing/report.ts'
import { createLog } from './log.ts'

/**
 * Compares a dump with the responses of the service after it was imported, with no service running, and prints the differences.
 * @returns whether nothing is damaged
 * @throws OperatorError when it cannot be done
 */
export async function compareDumpCommand(config: Config, file: string): Promise<boolean> {
  const started = performance.now()
  const log = createLog({ ...config, logLevel: 'error', stream: 2 })
  const problems = new Problems()
  const dump = await Dump.open(file, kinds, problems)
  try {
    const database = await openDatabase(config, log)
    try {
      const app = await buildApp({ config, pool: database.pool, databaseUrl: database.url, log, runsBackgroundWork: false })
      try {
        await app.ready()
        const verdicts = await compareDump(dump, app.routes.services)
        for (const line of describeVerdicts(verdicts)) console.log(line)
        for (const line of problems.describe()) console.log(line)
        const isUndamaged = verdicts.every(({ damageCount }) => damageCount === 0)
        const seconds = ((performance.now() - started) / 1000).toFixed(1)
        console.log(`${isUndamaged ? 'Everything matches the dump' : 'Not everything matches the dump'} (${seconds} s).`)
        return isUndamaged
      } finally {
        await app.close()
      }
    } finally {
      await database.stop()
    }
  } finally {
    await dump.close()
  }
}

/** Describes the result, line by line. */
export function describeVerdicts(verdicts: readonly KindComparison[]): string[] {
  return verdicts.flatMap(({ model, read, found, extraCount, compared, changed, damage, damageCount }) => {
    const extraText = extraCount > 0 ? `, ${extraCount} more` : ''
    const head = `${model}: ${found} of ${read} found${extraText}, ${compared} values compared`
    const changes = [...changed].map(([reason, count]) => `  ${count} changed on purpose, ${reason}`)
    const damageLines = damage.map((text) => `  DAMAGED ${text}`)
    const rest = damageCount - damage.length
    return [head, ...changes, ...damageLines, ...(rest > 0 ? [`  and ${rest} more`] : [])]
  })
}
