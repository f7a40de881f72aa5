import { Problem } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { pluginsWithHook, type Writing } from '../../../plugin-host/call-in-write.ts'
import { batchCode } from '../../../settings/batch-code-template.ts'
import { setting } from '../../../settings/live.ts'
import { batchCodeOfPlugins } from '../../plugins/validation.ts'

/**
 * Returns the batch code of new stock that is created without one: that of a plugin, else by the setting STOCK_BATCH_CODE_TEMPLATE; empty
 * for none.
 */
export const newBatchCode = async (writing: Writing & Pick<Services, 'settings'>): Promise<string> =>
  (await batchCodeOfPlugins(writing)) ?? codeBySetting(writing)

const codeBySetting = (services: Pick<Services, 'settings'>): string =>
  batchCode(setting(services, 'STOCK_BATCH_CODE_TEMPLATE'), new Date())

/** Returns the suggested batch code for a form, outside a write. Empty when a plugin fails. */
export async function suggestBatchCode(services: Services & Pick<Writing, 'caller'>): Promise<string> {
  try {
    if (pluginsWithHook(services, 'validation.newBatchCode').length === 0) return codeBySetting(services)
    return await services.database.transaction((tx) => newBatchCode({ ...services, tx }))
  } catch (error) {
    if (error instanceof Problem) return ''
    throw error
  }
}
