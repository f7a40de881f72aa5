import { Problem } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { type PendingWrite, pluginsWithHook } from '../../../plugin-host/call-in-write.ts'
import { renderBatchCode } from '../../../settings/batch-code-template.ts'
import { setting } from '../../../settings/live.ts'
import { generatePluginBatchCode } from '../../plugins/validation.ts'

/**
 * Generates the batch code of new stock that is created without one: by a plugin, otherwise by the setting STOCK_BATCH_CODE_TEMPLATE. Empty for
 * none.
 */
export const generateBatchCode = async (writing: PendingWrite & Pick<Services, 'settings'>): Promise<string> =>
  (await generatePluginBatchCode(writing)) ?? renderBatchCodeTemplate(writing)

const renderBatchCodeTemplate = (services: Pick<Services, 'settings'>): string =>
  renderBatchCode(setting(services, 'STOCK_BATCH_CODE_TEMPLATE'), new Date())

/** Returns the suggested batch code for a form, outside a write. Empty when a plugin fails. */
export async function suggestBatchCode(services: Services & Pick<PendingWrite, 'caller'>): Promise<string> {
  try {
    if (pluginsWithHook(services, 'validation.newBatchCode').length === 0) return renderBatchCodeTemplate(services)
    return await services.database.transaction((tx) => generateBatchCode({ ...services, tx }))
  } catch (error) {
    if (error instanceof Problem) return ''
    throw error
  }
}
