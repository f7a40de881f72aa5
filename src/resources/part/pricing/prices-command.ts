import type { Config } from '../../../config.ts'
import { withRunningDatabase } from '../../../database/with-database.ts'
import { queryThrough } from '../../../kit/sql/run-query.ts'
import { Database } from '../../../kit/sql/tx.ts'
import { Progress } from '../../../progress.ts'
import { type GlobalKey, type GlobalValues, globalSettings } from '../../../settings/registry.ts'
import { globalStore, snapshot } from '../../../settings/store.ts'
import { recalculateDuePrices, requestAllPrices } from './price-runs.ts'

/**
 * Recalculates the prices of all parts and shows the progress: in the database of the running service, which continues concurrently, or in
 * one that is opened for it. If aborted, the service completes it.
 */
export async function pricesCommand(config: Config): Promise<void> {
  const started = performance.now()
  const progress = new Progress('Calculating')
  const parts = await withRunningDatabase(config, async (pool) => {
    try {
      const database = new Database(pool)
      const stored = await globalStore(queryThrough({ database })).all()
      const current = snapshot<GlobalValues>(globalSettings, stored)
      const settings = { get: (key: string) => current.get(key as GlobalKey), upToDate: () => undefined }
      await database.transaction((tx) => requestAllPrices(tx))
      return await recalculateDuePrices({ database, settings }, { onProgress: progress.createReporter('parts') })
    } finally {
      progress.stop()
    }
  })
  console.log(`Prices of ${parts} parts calculated in ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}
