import type { Pool } from 'pg'
import type { Config } from '../../../config.ts'
import { withRunningDatabase } from '../../../database/with-database.ts'
import { Database } from '../../../kit/sql/tx.ts'
import { OperatorError } from '../../../operator-error.ts'
import { endRun, executeRun, requestRun } from './runs.ts'
import { type Finding, isConsistent } from './verify-stock.ts'

/**
 * Verifies stock and prints the findings: in the database of the running service, which continues to work, or in one that is opened for it.
 * @returns whether the data is consistent
 * @throws OperatorError when it cannot be executed
 */
export async function verifyCommand(config: Config): Promise<boolean> {
  const started = performance.now()
  const findings = await withRunningDatabase(config, verifyNow)
  for (const line of describe(findings)) console.log(line)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(
    `${isConsistent(findings) ? 'Stock is consistent' : 'Stock is not consistent'}: ${findings.length} checks in ${seconds} s.`,
  )
  return isConsistent(findings)
}

async function verifyNow(pool: Pool, isRunning: boolean): Promise<Finding[]> {
  const database = new Database(pool)
  const run = await database.transaction((tx) => requestRun(tx))
  if (run === undefined)
    throw new OperatorError('a stock verification is already running; GET /api/stock/verify/ shows its progress')
  try {
    const findings = await executeRun(database, run, { isThrottled: isRunning })
    if (!findings) throw new Error('another process closed the run')
    return findings
  } catch (error) {
    const failure = `The verification failed: ${(error as Error).message}`
    await endRun(database, run, { failure })
    throw error
  }
}

function describe(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ holds, damage, count, objects }) => {
    if (count === 0) return []
    const head = `${damage ? 'BROKEN' : 'REVIEW'}, ${count === 1 ? 'one object' : `${count} objects`}: ${holds}`
    const lines = objects.map(({ model, pk, name, problem }) => `  ${model} ${pk}${name ? ` (${name})` : ''}: ${problem}`)
    const more = count - objects.length
    return [head, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])]
  })
}
