import { listOperations } from './app.ts'
import type { Config } from './config.ts'
import { withRunningDatabase } from './database/with-database.ts'
import { describeInstance } from './importing/clients/describe.ts'
import { inspectInstance } from './importing/clients/instance.ts'
import { createLog } from './log.ts'

/**
 * Prints what changes for clients, plugins, tokens and templates after an import, as text or as JSON, with or without a running service.
 * @param file the dump that was imported, for its tokens and second factors
 * @throws OperatorError when there is no database, or the dump cannot be read
 */
export async function checkClientsCommand(config: Config, file: string | undefined, { json }: { json: boolean }): Promise<void> {
  const log = createLog({ ...config, logLevel: 'error', stream: 2 })
  const report = await withRunningDatabase(config, (pool) =>
    inspectInstance({ pool, config, log, paths: listPaths(config) }, file),
  )
  if (json) console.log(JSON.stringify(report, null, 2))
  else for (const line of describeInstance(report)) console.log(line)
}

/** The paths of all operations, with {} for each parameter. */
export const listPaths = (config: Config): Set<string> =>
  new Set(listOperations(config).map(({ path }) => path.replaceAll(/\{\w+\}/g, '{}')))
